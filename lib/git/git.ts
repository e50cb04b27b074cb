import { delay } from "@std/async/delay";
import { gitEnvironment, NO_UPKEEP, SETTINGS } from "./environment.ts";
import { feed } from "./feed.ts";
import { heldLock, removeStaleLock, tellsOfLock } from "./locks.ts";

/** What a git command answered. */
export interface GitResult {
  code: number;
  stdout: Uint8Array;
  stderr: string;
}

/** How a git command is run. */
export interface GitOptions {
  /** Texts and bytes, one behind the other. */
  input?: string | readonly (string | Uint8Array)[];
  /** Further variables of its environment. */
  env?: Readonly<Record<string, string>>;
  /** Exit codes that are answers and not failures. */
  accept?: readonly number[];
  /** Whether git may keep house as the user has set it. */
  upkeep?: boolean;
  /** Milliseconds after which the command is ended. */
  limit?: number;
  /**
   * How often it is tried where another git is in the way.
   *
   * @default {12}
   */
  attempts?: number;
}

/** A git command that failed for a reason its caller did not expect. */
export class GitError extends Error {
  override readonly name = "GitError";
  /** Whether it gave up because another git, or one that was killed, holds a lock. */
  readonly locked: boolean;
  constructor(readonly args: readonly string[], readonly result: GitResult) {
    const locked = tellsOfLock(result.stderr);
    const cure = locked ? " (where no other git is at work here, remove that file)" : "";
    super(`Cannot run git ${args[0]}: ${reasonOf(result)}${cure}`);
    this.locked = locked;
  }
}

/** There is no git on this machine. */
export class NoGitError extends Error {
  override readonly name = "NoGitError";
}

/** Exit code of a command that took longer than its limit. */
export const ENDED = 124;

/** Runs git in one folder, without a shell and without the environment of this process. */
export class Git {
  readonly #root: string;
  readonly #env: Record<string, string>;

  constructor(root: string) {
    this.#root = root;
    this.#env = gitEnvironment();
  }

  /**
   * Runs one command. A lock that another git holds is waited for, and one that a killed git has left
   * on a ref is removed.
   *
   * @throws {GitError} Where the exit code is neither 0 nor accepted, or a lock stays.
   * @throws {NoGitError} Where there is no git.
   */
  async run(args: readonly string[], options: GitOptions = {}): Promise<GitResult> {
    const { accept = [], attempts = 12 } = options;
    for (let attempt = 1;; attempt++) {
      const result = await this.#once(args, options);
      if (result.code === 0) return result;
      const lock = heldLock(result.stderr);
      if (lock === undefined && accept.includes(result.code)) return result;
      if (!tellsOfLock(result.stderr) || attempt === attempts) {
        throw new GitError(args, result);
      }
      if (lock !== undefined && await this.#removeStale(lock)) continue;
      await delay(attempt * 20 * (0.5 + Math.random()));
    }
  }

  /** The output of one command as text, without the line end. */
  async text(args: readonly string[], options: GitOptions = {}): Promise<string> {
    const { stdout } = await this.run(args, options);
    return new TextDecoder().decode(stdout).replace(/\n$/, "");
  }

  /** The output of one command; `undefined` where it answers with an exit code of 1 or 128. */
  async maybe(args: readonly string[]): Promise<string | undefined> {
    const { code, stdout } = await this.run(args, { accept: [1, 128] });
    return code === 0 ? new TextDecoder().decode(stdout).replace(/\n$/, "") : undefined;
  }

  /**
   * The output of one command, piece by piece while it runs.
   *
   * @throws {GitError} At its end, where the exit code is not 0.
   * @throws {NoGitError} Where there is no git.
   */
  async *stream(args: readonly string[], input: string): AsyncGenerator<Uint8Array, void> {
    const child = this.#spawn(args, { input });
    const ended = Promise.all([
      child.status,
      new Response(child.stderr).text(),
      feed(child, input),
    ]);
    try {
      yield* child.stdout;
    } finally {
      await ended;
    }
    const [{ code }, stderr] = await ended;
    if (code !== 0) throw new GitError(args, { code, stdout: new Uint8Array(), stderr });
  }

  async #removeStale(lock: string): Promise<boolean> {
    const wanted = ["rev-parse", "--path-format=absolute", "--git-dir", "--git-common-dir"];
    const { stdout } = await this.#once(wanted, {});
    const folders = new TextDecoder().decode(stdout).split("\n").filter((line) => line !== "");
    return await removeStaleLock(lock, { root: this.#root, folders });
  }

  async #once(args: readonly string[], options: GitOptions): Promise<GitResult> {
    const { input, limit } = options;
    const child = this.#spawn(args, options);
    const output = finished(child);
    if (input !== undefined) await feed(child, input);
    return limit === undefined ? await output : await within(limit, child, output);
  }

  #spawn(args: readonly string[], { input, env, upkeep }: GitOptions): Deno.ChildProcess {
    return spawn({
      args: [...SETTINGS, ...upkeep ? [] : NO_UPKEEP, ...args],
      cwd: this.#root,
      clearEnv: true,
      env: { ...this.#env, ...env },
      stdin: input === undefined ? "null" : "piped",
      stdout: "piped",
      stderr: "piped",
    });
  }
}

async function finished(child: Deno.ChildProcess): Promise<GitResult> {
  const { code, stdout, stderr } = await child.output();
  return { code, stdout, stderr: new TextDecoder().decode(stderr) };
}

/** Ends a command that takes too long. What it has started may linger on, so its end is not waited for. */
async function within(
  limit: number,
  child: Deno.ChildProcess,
  output: Promise<GitResult>,
): Promise<GitResult> {
  const { promise: late, resolve } = Promise.withResolvers<GitResult>();
  const timer = setTimeout(() => {
    child.kill();
    child.unref();
    const stderr = `fatal: no answer within ${limit / 1000} s`;
    resolve({ code: ENDED, stdout: new Uint8Array(), stderr });
  }, limit);
  try {
    return await Promise.race([output, late]);
  } finally {
    clearTimeout(timer);
  }
}

function spawn(options: Deno.CommandOptions): Deno.ChildProcess {
  try {
    return new Deno.Command("git", options).spawn();
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
    throw new NoGitError("Cannot run git: it is not on the PATH", { cause: error });
  }
}

/** The line of git's messages that says what is wrong. */
export function reasonOf({ code, stderr }: GitResult): string {
  const lines = stderr.split("\n").map((line) => line.trim()).filter((line) => line !== "");
  const telling = lines.find((line) => /^(?:fatal|error|remote: error):/.test(line)) ??
    lines.at(-1);
  return telling?.replace(/^(?:fatal|error): |\.$/g, "") ?? `exit code ${code}`;
}
