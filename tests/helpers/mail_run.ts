import { join } from "node:path";
import type { MailEnd, MailRun } from "./mail_program.ts";
import { cleanEnvironment, output, PROJECT } from "./program.ts";

/** Sends a mail in a process of its own; `authorities` is a file of certificates it trusts besides. */
export async function mailRun(run: MailRun, authorities?: string): Promise<MailEnd> {
  const manifest = JSON.parse(await Deno.readTextFile(join(PROJECT, "deno.json")));
  const command: string = manifest.tasks.update.command;
  const flags = command.match(
    /--(?:v8-flags|allow-(?:net|env|sys)|ignore-env|no-prompt|frozen|cached-only)\S*/g,
  );
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", ...flags ?? [], "tests/helpers/mail_program.ts", JSON.stringify(run)],
    cwd: PROJECT,
    clearEnv: true,
    env: {
      ...cleanEnvironment(),
      ...(authorities === undefined ? {} : { NODE_EXTRA_CA_CERTS: authorities }),
    },
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const { stdout, stderr } = await output(child);
  if (stdout === "") throw new Error(stderr);
  return JSON.parse(stdout);
}
