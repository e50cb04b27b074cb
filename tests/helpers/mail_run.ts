import { join } from "node:path";
import type { MailEnd, MailRun } from "./mail_program.ts";
import { cleanEnvironment, output, PROJECT } from "./program.ts";

/** Permissions of the task `update`, without files and programs. */
const FLAGS = [
  ...["-q", "--no-prompt", "--cached-only", "--config", join(PROJECT, "deno.json")],
  ...["-P=github", "--deny-run", "--allow-sys=ca,networkInterfaces"],
];

/** Sends a mail in a process of its own; `authorities` is a file of certificates it trusts besides. */
export async function mailRun(run: MailRun, authorities?: string): Promise<MailEnd> {
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", ...FLAGS, "tests/helpers/mail_program.ts", JSON.stringify(run)],
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
