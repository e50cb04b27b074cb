import { join } from "node:path";
import { type Clock, systemClock } from "../../lib/io/clock.ts";
import { run } from "../../main.ts";
import { calendarFlags } from "./calendar.ts";
import { cleanEnvironment } from "./clean_environment.ts";

export { cleanEnvironment };

/** The folder of the project itself. */
export const PROJECT = join(import.meta.dirname!, "..", "..");

/** The result of a run of the program. */
export interface ProgramResult {
  code: number;
  stdout: string;
  stderr: string;
}

/** How a command is run. */
export interface RunOptions {
  /** The folder it works in. */
  folder: string;
  args?: readonly string[];
  /** Further variables of its environment. */
  env?: Readonly<Record<string, string>>;
  /** Ends it early, as a runner does. */
  signal?: AbortSignal;
  /** Replaces the clock of this machine, for tests that midnight must not come into. */
  clock?: Clock;
  /** Input that is piped in; empty if absent. */
  input?: string | Uint8Array<ArrayBuffer>;
  /** Columns of the terminal that output goes to; it goes to a pipe if absent. */
  columns?: number;
}

/** How a process of the program is started. */
export interface ProcessOptions extends Omit<RunOptions, "clock" | "columns"> {
  /** Variables that its environment lacks, even if the tests have them. */
  unset?: readonly string[];
  /** Path of a module that is started in place of the program's. */
  main?: string;
  /** Milliseconds that its date is later than that of the tests. */
  later?: number;
  /** A script that starts it as `"$0" "$@"`, for features that only a shell has. */
  shell?: string;
}

/** Configuration of Deno with the dependencies of the tests. */
export const TESTS_CONFIG = join(PROJECT, "tests", "deno.json");

const MANIFEST = JSON.parse(await Deno.readTextFile(join(PROJECT, "deno.json")));

/** Runs the command of a task in the process of the tests. */
export async function runTask(
  task: string,
  { folder, args = [], env = {}, signal, clock, input = "", columns }: RunOptions,
): Promise<ProgramResult> {
  const words = taskWords(task, folder);
  const io = recordedIo({ env: { ...cleanEnvironment(), ...env }, signal, clock, input, columns });
  const code = await run([...words.slice(words.indexOf("main.ts") + 1), ...args], io);
  return { code, stdout: io.stdout.text, stderr: io.stderr.text };
}

/** Standard streams that record what is written, with their own environment. */
export function recordedIo(
  { env = {}, signal, input = "", clock = systemClock, columns }: Omit<RunOptions, "folder"> = {},
) {
  return {
    env: new Map(Object.entries(env)),
    stdin: {
      isTerminal: () => false,
      readable: new Blob([input]).stream(),
      prompt: () => null,
      promptSecret: () => null,
    },
    stdout: new Recording(),
    stderr: new Recording(),
    columns: () => columns,
    clock,
    signal,
  };
}

class Recording {
  readonly #decoder = new TextDecoder();
  text = "";

  writeSync(bytes: Uint8Array): number {
    this.text += this.#decoder.decode(bytes, { stream: true });
    return bytes.length;
  }
}

/** Runs the task in a process of its own, with the very permissions that `deno.json` gives it. */
export async function runProcess(task: string, options: ProcessOptions): Promise<ProgramResult> {
  const child = spawnTask(task, options);
  const result = output(child);
  // A program that does not want it may be gone.
  if (options.input !== undefined) {
    await new Blob([options.input]).stream().pipeTo(child.stdin).catch(() => {});
  }
  return await result;
}

function taskWords(task: string, folder: string): string[] {
  const command: string = MANIFEST.tasks[task].command;
  return [...command.matchAll(/"([^"]*)"|\S+/g)].map(([word, quoted]) =>
    (quoted ?? word).replaceAll("$INIT_CWD", folder)
  );
}

/**
 * Starts the program of a task and leaves it running, in a group of its own: it can be killed together
 * with its children. It skips the wrapper `deno task`, which doubles the time.
 */
export function spawnTask(
  task: string,
  { folder, args = [], env = {}, unset = [], signal, later, shell, input, main = "main.ts" }:
    ProcessOptions,
): Deno.ChildProcess {
  const inherited = Object.entries(cleanEnvironment()).filter(([name]) => !unset.includes(name));
  const [, command, ...words] = taskWords(task, folder).map((word) =>
    word.replace(/^main\.ts$/, main)
  );
  // Another module would run with the configuration next to it, which has no permission sets.
  const config = ["--config", join(PROJECT, "deno.json")];
  const started = [command!, ...config, ...calendarFlags(undefined, later), ...words, ...args];
  const inShell = ["-c", shell ?? "", Deno.execPath(), ...started];
  return new Deno.Command(shell === undefined ? Deno.execPath() : "/bin/bash", {
    args: shell === undefined ? started : inShell,
    cwd: PROJECT,
    clearEnv: true,
    env: { ...Object.fromEntries(inherited), ...env },
    stdin: input === undefined ? "null" : "piped",
    stdout: "piped",
    stderr: "piped",
    signal,
    detached: true,
  }).spawn();
}

/** Starts a module of the tests as a program that gets one argument, in a group of its own; `more` are flags of Deno. */
export function spawnModule(
  module: string,
  argument: unknown,
  env: Readonly<Record<string, string>> = {},
  more: readonly string[] = [],
): Deno.ChildProcess {
  const flags = ["--no-prompt", "--frozen", "--cached-only", "--allow-all", ...more];
  return new Deno.Command(Deno.execPath(), {
    args: [
      "run",
      "--config",
      TESTS_CONFIG,
      ...calendarFlags(),
      ...flags,
      module,
      JSON.stringify(argument),
    ],
    cwd: PROJECT,
    clearEnv: true,
    env: { ...cleanEnvironment(), ...env },
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
    detached: true,
  }).spawn();
}

/** Waits for the end of a program. */
export async function output(child: Deno.ChildProcess): Promise<ProgramResult> {
  const { code, stdout, stderr } = await child.output();
  const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
  return { code, stdout: text(stdout), stderr: text(stderr) };
}

/** Kills a process with all that it started; it may have ended this very moment. */
export function killGroup(pid: number): void {
  killOne(-pid);
}

/** Kills a process without what it started; it may have ended this very moment. */
export function killOne(pid: number): void {
  try {
    Deno.kill(pid, "SIGKILL");
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
}
