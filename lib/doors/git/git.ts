import { delay } from "@std/async/delay";

/** What a git command answered. */
export interface GitResult {
  code: number;
  stdout: Uint8Array;
  stderr: string;
}

/** How a git command is run. */
export interface GitOptions {
  input?: string;
  /** Further variables of its environment. */
  env?: Readonly<Record<string, string>>;
  /** Exit codes that are answers and not failures. */
  accept?: readonly number[];
  /** Milliseconds after which the command is ended. */
  limit?: number;
}

/** A git command that failed for a reason its caller did not expect. */
export class GitError extends Error {
  override readonly name = "GitError";
  /** Whether it gave up because another git, or one that was killed, holds a lock. */
  readonly locked: boolean;
  constructor(readonly args: readonly string[], readonly result: GitResult) {
    const locked = LOCKED.test(result.stderr);
    const cure = locked ? " (where no other git is at work here, remove that file)" : "";
    super(`Cannot run git ${args[0]}: ${reasonOf(result)}${cure}`);
    this.locked = locked;
  }
}

/** There is no git on this machine. */
export class NoGitError extends Error {
  override readonly name = "NoGitError";
}

/** What of the environment git needs to find its files, its keys and the network. Secrets are none of it. */
const PASSED = [
  "PATH",
  "HOME",
  "USER",
  "SSH_AUTH_SOCK",
  "SSH_AGENT_PID",
  "GIT_SSH",
  "GIT_SSH_COMMAND",
  "GIT_ASKPASS",
  "SSH_ASKPASS",
  "GIT_CONFIG_GLOBAL",
  "GIT_CONFIG_SYSTEM",
  "GIT_CONFIG_NOSYSTEM",
  "GIT_SSL_CAINFO",
  "GIT_SSL_NO_VERIFY",
  "XDG_CONFIG_HOME",
  "XDG_RUNTIME_DIR",
  "TMPDIR",
  "HTTP_PROXY",
  "HTTPS_PROXY",
  "NO_PROXY",
  "ALL_PROXY",
  "http_proxy",
  "https_proxy",
  "no_proxy",
  "all_proxy",
];

/** Keeps hooks, monitors and house-keeping of the user's configuration out of our commands. */
const SETTINGS = [
  "core.hooksPath=/dev/null",
  "core.fsmonitor=false",
  "core.quotePath=false",
  "index.sparse=false",
  "gc.auto=0",
  "maintenance.auto=false",
].flatMap((setting) => ["-c", setting]);

const LOCKED =
  /unable to lock|cannot lock|\.lock': File exists|could not lock|Unable to create '.*\.lock'/;
const LOCK_ATTEMPTS = 12;

/** Exit code of a command that took longer than its limit. */
export const ENDED = 124;

/** Runs git in one folder, without a shell and without the environment of this process. */
export class Git {
  readonly #root: string;
  readonly #env: Record<string, string>;

  constructor(root: string) {
    this.#root = root;
    const passed = PASSED.flatMap((name) => {
      const value = Deno.env.get(name);
      return value === undefined ? [] : [[name, value]];
    });
    this.#env = { ...Object.fromEntries(passed), LC_ALL: "C", GIT_TERMINAL_PROMPT: "0" };
  }

  /**
   * Runs one command. A lock that another git holds is waited for.
   *
   * @throws {GitError} Where the exit code is neither 0 nor accepted.
   * @throws {NoGitError} Where there is no git.
   */
  async run(args: readonly string[], options: GitOptions = {}): Promise<GitResult> {
    const { accept = [] } = options;
    for (let attempt = 1;; attempt++) {
      const result = await this.#once(args, options);
      if (result.code === 0 || accept.includes(result.code)) return result;
      if (!LOCKED.test(result.stderr) || attempt === LOCK_ATTEMPTS) {
        throw new GitError(args, result);
      }
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

  async #once(args: readonly string[], { input, env, limit }: GitOptions): Promise<GitResult> {
    const child = spawn({
      args: [...SETTINGS, ...args],
      cwd: this.#root,
      clearEnv: true,
      env: { ...this.#env, ...env },
      stdin: input === undefined ? "null" : "piped",
      stdout: "piped",
      stderr: "piped",
    });
    const output = finished(child);
    if (input !== undefined) await feed(child, input);
    return limit === undefined ? await output : await within(limit, child, output);
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

/** A command that ends before it has read everything says why in its exit code. */
async function feed(child: Deno.ChildProcess, input: string): Promise<void> {
  try {
    await new Blob([input]).stream().pipeTo(child.stdin);
  } catch (error) {
    if (!(error instanceof Deno.errors.BrokenPipe)) throw error;
  }
}

/** The line of git's messages that says what is wrong. */
export function reasonOf({ code, stderr }: GitResult): string {
  const lines = stderr.split("\n").map((line) => line.trim()).filter((line) => line !== "");
  const telling = lines.find((line) => /^(?:fatal|error|remote: error):/.test(line)) ??
    lines.at(-1);
  return telling?.replace(/^(?:fatal|error): /, "") ?? `exit code ${code}`;
}
