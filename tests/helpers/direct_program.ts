import { join } from "node:path";
import { cleanEnvironment, type ProgramOptions, PROJECT } from "./program.ts";

const MANIFEST = JSON.parse(await Deno.readTextFile(join(PROJECT, "deno.json")));

/**
 * Starts the program of a task as one process in a group of its own, with the very permissions that the
 * task gives it: such a process can be killed together with all that it started.
 */
export function spawnDirectly(
  task: string,
  { folder, args = [], env = {}, signal }: ProgramOptions,
): Deno.ChildProcess {
  const command: string = MANIFEST.tasks[task].command;
  const words = [...command.matchAll(/"([^"]*)"|\S+/g)].map(([word, quoted]) =>
    (quoted ?? word).replaceAll("$INIT_CWD", folder)
  );
  return new Deno.Command(Deno.execPath(), {
    args: [...words.slice(1), ...args],
    cwd: PROJECT,
    clearEnv: true,
    env: { ...cleanEnvironment(), ...env },
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
    signal,
    detached: true,
  }).spawn();
}
