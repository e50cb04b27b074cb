import { join } from "node:path";
import { git } from "./scratch.ts";

/** A remote behind an ssh that can be made to answer nothing. */
interface SshRemote {
  /** Variables with which git reaches it. */
  env: { GIT_SSH_COMMAND: string };
  /** From now on connections get no answer. */
  fallSilent(): Promise<void>;
  /** From now on they do again, also those that have waited. */
  answer(): Promise<void>;
}

/** Lets a clone reach its remote, which is a folder of this machine, through an ssh. */
export async function throughSsh(
  scratch: string,
  { folder, remote }: { folder: string; remote: string },
): Promise<SshRemote> {
  const silence = join(scratch, "silence");
  const ssh = join(scratch, "ssh");
  // The last argument is the command for the remote.
  const script = `#!/bin/sh
while [ -e '${silence}' ]; do sleep 0.2; done
for command in "$@"; do :; done
exec sh -c "$command"
`;
  await Deno.writeTextFile(ssh, script, { mode: 0o755 });
  await git(folder, "remote", "set-url", "origin", `ssh://remote.example${remote}`);
  return {
    env: { GIT_SSH_COMMAND: ssh },
    fallSilent: () => Deno.writeTextFile(silence, ""),
    answer: () => Deno.remove(silence),
  };
}
