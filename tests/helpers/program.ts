import { join } from "node:path";

/** The folder of the project itself. */
export const PROJECT = join(import.meta.dirname!, "..", "..");

/** What a run of the program left behind. */
export interface ProgramResult {
  code: number;
  stdout: string;
  stderr: string;
}

/** How the program is run. */
export interface ProgramOptions {
  /** The folder it works in. */
  folder: string;
  args?: readonly string[];
  /** Further variables of its environment. */
  env?: Readonly<Record<string, string>>;
  /** Variables that its environment does not have, whatever that of the tests has. */
  unset?: readonly string[];
  /** Ends it early, as a runner does. */
  signal?: AbortSignal;
}

/** Runs a task as people do, with the permissions that `deno.json` gives it. */
export function runTask(task: string, options: ProgramOptions): Promise<ProgramResult> {
  return output(spawnTask(task, options));
}

/** Starts a task and leaves it running. */
export function spawnTask(
  task: string,
  { folder, args = [], env = {}, unset = [], signal }: ProgramOptions,
): Deno.ChildProcess {
  const inherited = Object.entries(cleanEnvironment()).filter(([name]) => !unset.includes(name));
  return new Deno.Command(Deno.execPath(), {
    args: ["task", "--quiet", "--config", join(PROJECT, "deno.json"), task, ...args],
    cwd: folder,
    clearEnv: true,
    env: { ...Object.fromEntries(inherited), INIT_CWD: folder, ...env },
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
    signal,
  }).spawn();
}

/** What a program needs of this machine, and nothing that changes what it does. */
export function cleanEnvironment(): Record<string, string> {
  const names = ["PATH", "HOME", "TMPDIR", "DENO_DIR", "NODE_EXTRA_CA_CERTS", "XDG_CACHE_HOME"];
  const known = names.flatMap((name) => {
    const value = Deno.env.get(name);
    return value === undefined ? [] : [[name, value]];
  });
  return {
    ...Object.fromEntries(known),
    NO_COLOR: "1",
    GIT_CONFIG_GLOBAL: "/dev/null",
    GIT_CONFIG_NOSYSTEM: "1",
  };
}

/** Waits for the end of a program. */
export async function output(child: Deno.ChildProcess): Promise<ProgramResult> {
  const { code, stdout, stderr } = await child.output();
  const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
  return { code, stdout: text(stdout), stderr: text(stderr) };
}
