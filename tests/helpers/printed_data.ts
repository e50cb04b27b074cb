import { Log } from "../../lib/io/log.ts";
import { Secrets } from "../../lib/io/secrets/secrets.ts";
import { recordedIo } from "./program.ts";

/** What a program reads of data that is printed as JSON. */
// deno-lint-ignore no-explicit-any
export function printedData(value: unknown): any {
  const io = recordedIo();
  const modes = { onGitHub: false, terminal: false, level: "quiet", dataOnly: true } as const;
  new Log({ ...io, ...modes, secrets: new Secrets() }).data(value);
  return JSON.parse(io.stdout.text);
}
