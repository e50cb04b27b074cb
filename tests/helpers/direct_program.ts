import { join } from "node:path";
import { cleanEnvironment, type ProgramOptions, PROJECT } from "./program.ts";

const MANIFEST = JSON.parse(await Deno.readTextFile(join(PROJECT, "deno.json")));

/** How the program of a task is started. */
export interface DirectOptions extends ProgramOptions {
  /** A script that starts it as `"$0" "$@"`, for what only a shell can do. */
  shell?: string;
}

/**
 * Starts the program of a task as one process in a group of its own, with the very permissions that the
 * task gives it: such a process can be killed together with all that it started.
 */
export function spawnDirectly(
  task: string,
  { folder, args = [], env = {}, signal, shell }: DirectOptions,
): Deno.ChildProcess {
  const command: string = MANIFEST.tasks[task].command;
  const words = [...command.matchAll(/"([^"]*)"|\S+/g)].map(([word, quoted]) =>
    (quoted ?? word).replaceAll("$INIT_CWD", folder)
  );
  const started = [...words.slice(1), ...args];
  const inShell = ["-c", shell ?? "", Deno.execPath(), ...started];
  return new Deno.Command(shell === undefined ? Deno.execPath() : "/bin/bash", {
    args: shell === undefined ? started : inShell,
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
