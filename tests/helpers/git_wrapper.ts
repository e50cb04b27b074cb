import { join } from "node:path";
import { cleanEnvironment } from "./program.ts";

/** A `git` that is first on the PATH and runs a script before the real one. */
export interface GitWrapper {
  /** The environment in which it is found. */
  env: { PATH: string };
  /**
   * From now on runs a script before the real git, or instead of it if the script exits. It gets the
   * git command as `$command`, and the earlier ones in the file `$calls`, one a line.
   */
  before(script: string): Promise<void>;
  /** From now on kills the program before a git command: the one of a number, from 1, among those of the names given. */
  killBefore(number: number, commands: readonly string[]): Promise<void>;
  /** The git commands since the last {@linkcode before}, in their order. */
  calls(): Promise<string[]>;
}

/** Kills the program together with all that it started, as the end of a machine does. */
export const KILL = "kill -9 0";

/** Does that to the program that calls it. */
export async function killOwnGroup(): Promise<void> {
  await new Deno.Command("sh", { args: ["-c", KILL] }).output();
}

/** Makes a wrapper in a folder. */
export async function wrapGit(folder: string): Promise<GitWrapper> {
  const bin = join(folder, "bin");
  const calls = join(folder, "calls");
  await Deno.mkdir(bin);
  const path = cleanEnvironment()["PATH"]!;
  const before = async (script: string) => {
    await Deno.writeTextFile(calls, "");
    const temporary = join(bin, "git.new");
    await Deno.writeTextFile(temporary, wrapper(calls, path, script), { mode: 0o755 });
    await Deno.rename(temporary, join(bin, "git"));
  };
  return {
    env: { PATH: `${bin}:${path}` },
    before,
    async killBefore(number, commands) {
      const names = commands.join("|");
      await before(`case "$command" in ${names})
  if [ "$(grep -cxE '${names}' "$calls")" = ${number} ]; then ${KILL}; fi
esac`);
    },
    calls: async () => (await Deno.readTextFile(calls)).trimEnd().split("\n"),
  };
}

function wrapper(calls: string, path: string, script: string): string {
  return `#!/bin/sh
PATH='${path}:/usr/bin:/bin'
value=
for word in "$@"; do
  if [ -n "$value" ]; then value=
  elif [ "$word" = -c ]; then value=next
  else command=$word; break
  fi
done
calls='${calls}'
echo "$command" >> "$calls"
${script}
exec git "$@"
`;
}
