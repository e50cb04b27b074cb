import { Buffer } from "node:buffer";
import { random, systemClock } from "../io/clock.ts";
import { retry } from "../io/requests.ts";
import { variables } from "../io/environment.ts";

export interface GitResult {
  code: number;
  stdout: Uint8Array;
  stderr: string;
}

interface GitOptions {
  /** Standard input: texts and bytes, concatenated. */
  input?: string | readonly (string | Uint8Array)[];
  /** Exit codes that are answers and not failures. */
  accept?: readonly number[];
  /** Milliseconds after which the command is ended. */
  limit?: number;
}

/** Milliseconds between attempts while another git holds a lock. */
const DELAYS = Array.from({ length: 11 }, (_, index) => 20 * (index + 1));

/** Messages of a git that gave up because another one changes the same thing. */
const LOCKED =
  /unable to lock|cannot lock|\.lock': File exists|could not lock|Unable to create '.*\.lock'/;
/** The same if the lock file is still held, or was left behind by a git that was killed. */
const HELD = /Unable to create '.+\.lock': File exists/;

/** A git command that failed for a reason its caller did not expect. */
export class GitError extends Error {
  override readonly name = "GitError";
  /** True if it gave up because another git, or one that was killed, holds a lock. */
  readonly locked: boolean;
  constructor(readonly args: readonly string[], readonly result: GitResult) {
    const locked = LOCKED.test(ownMessages(result));
    const cure = locked ? " (if no other git is running here, remove that file)" : "";
    super(`Cannot run git ${args[0]}: ${findReason(result)}${cure}`);
    this.locked = locked;
  }
}

export class NoGitError extends Error {
  override readonly name = "NoGitError";
}

/** Exit code of a command that took longer than its limit. */
export const ENDED = 124;

/** Variables that git needs to find its files, its keys and the network; secrets are not among them. */
const PASSED = [
  ...["PATH", "HOME", "USER", "TMPDIR", "XDG_CONFIG_HOME", "XDG_RUNTIME_DIR"],
  ...["SSH_AUTH_SOCK", "SSH_AGENT_PID", "SSH_ASKPASS", "GIT_ASKPASS", "GIT_SSH", "GIT_SSH_COMMAND"],
  ...["GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM", "GIT_CONFIG_NOSYSTEM"],
  ...["GIT_SSL_CAINFO", "GIT_SSL_NO_VERIFY"],
  ...["HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "ALL_PROXY"],
  ...["http_proxy", "https_proxy", "no_proxy", "all_proxy"],
];

/** Switches off hooks, file monitors and long waits for locks, whatever the user has configured. */
const SETTINGS = [
  "core.hooksPath=/dev/null",
  "core.fsmonitor=false",
  "core.quotePath=false",
  "index.sparse=false",
  "core.packedRefsTimeout=100",
].flatMap((setting) => ["-c", setting]);

/** The environment in which git runs: without variables that change its behavior or its messages. */
function gitEnvironment(): Record<string, string> {
  const env = variables();
  const passed = PASSED.flatMap((name) => {
    const value = env.get(name);
    return value === undefined ? [] : [[name, value]];
  });
  return { ...Object.fromEntries(passed), LC_ALL: "C", GIT_TERMINAL_PROMPT: "0" };
}

/** Runs git in one folder, without a shell and without the environment of this process. */
export class Git {
  readonly #root: string;
  readonly #env: Record<string, string>;
  readonly #ending?: AbortSignal;

  /** Once `ending` is aborted, commands with a limit end at once. */
  constructor(root: string, ending?: AbortSignal) {
    this.#root = root;
    this.#env = gitEnvironment();
    this.#ending = ending;
  }

  /**
   * Runs one command, again while another git holds a lock.
   *
   * @throws {GitError} If the exit code is neither 0 nor accepted, or a lock stays.
   * @throws {NoGitError} If git is not installed.
   */
  async run(args: readonly string[], options: GitOptions = {}): Promise<GitResult> {
    const { accept = [] } = options;
    return await retry(async () => {
      const result = await this.#once(args, options);
      if (result.code === 0) return result;
      if (!HELD.test(ownMessages(result)) && accept.includes(result.code)) return result;
      throw new GitError(args, result);
    }, {
      delays: DELAYS,
      clock: systemClock,
      delayAfter: (error, delay) =>
        error instanceof GitError && error.locked ? delay * (0.5 + random()) : undefined,
    });
  }

  async text(args: readonly string[], options: GitOptions = {}): Promise<string> {
    return toText(await this.run(args, options));
  }

  /**
   * Yields the output of one command in parts as it comes, so that it may be larger than the memory. `input` is
   * written meanwhile.
   *
   * @throws {GitError} If the exit code is not 0.
   */
  async *stream(
    args: readonly string[],
    input?: Iterable<Uint8Array>,
  ): AsyncGenerator<Uint8Array> {
    const child = this.#spawn(args, input === undefined ? undefined : "");
    const stderr = new Response(child.stderr).text();
    const written = input === undefined ? undefined : writeParts(child, input);
    for await (const part of child.stdout) yield part;
    await written;
    const { code } = await child.status;
    if (code !== 0) {
      throw new GitError(args, { code, stdout: new Uint8Array(), stderr: await stderr });
    }
    await stderr;
  }

  /** The output of one command; `undefined` if its exit code is 1 or 128. */
  async maybe(args: readonly string[]): Promise<string | undefined> {
    const result = await this.run(args, { accept: [1, 128] });
    return result.code === 0 ? toText(result) : undefined;
  }

  async #once(args: readonly string[], { input, limit }: GitOptions): Promise<GitResult> {
    const child = this.#spawn(args, input);
    const output = child.output().then(({ code, stdout, stderr }) => (
      { code, stdout, stderr: new TextDecoder().decode(stderr) }
    ));
    if (input !== undefined) await writeInput(child, input);
    return limit === undefined
      ? await output
      : await endAfter({ limit, ending: this.#ending }, child, output);
  }

  #spawn(args: readonly string[], input: GitOptions["input"]): Deno.ChildProcess {
    const options: Deno.CommandOptions = {
      args: [...SETTINGS, ...args],
      cwd: this.#root,
      clearEnv: true,
      env: this.#env,
      stdin: input === undefined ? "null" : "piped",
      stdout: "piped",
      stderr: "piped",
    };
    try {
      return new Deno.Command("git", options).spawn();
    } catch (error) {
      if (!(error instanceof Deno.errors.NotFound)) throw error;
      throw new NoGitError("Cannot run git: it is not on the PATH", { cause: error });
    }
  }
}

/** Ends a command that takes too long, without waiting for processes that it has started. */
async function endAfter(
  { limit, ending }: { limit: number; ending?: AbortSignal },
  child: Deno.ChildProcess,
  output: Promise<GitResult>,
): Promise<GitResult> {
  const { promise: late, resolve } = Promise.withResolvers<GitResult>();
  const end = (reason: string) => {
    child.kill();
    child.unref();
    resolve({ code: ENDED, stdout: new Uint8Array(), stderr: `fatal: ${reason}` });
  };
  const onEnding = () => end("no answer before the program ended");
  const timer = setTimeout(() => end(`no answer within ${limit / 1000} s`), limit);
  if (ending?.aborted) onEnding();
  ending?.addEventListener("abort", onEnding);
  try {
    return await Promise.race([output, late]);
  } finally {
    clearTimeout(timer);
    ending?.removeEventListener("abort", onEnding);
  }
}

/** Writes to a command's standard input; one that ends before it has read everything says why in its exit code. */
async function writeInput(
  child: Deno.ChildProcess,
  input: NonNullable<GitOptions["input"]>,
): Promise<void> {
  await writeParts(child, joinParts([input].flat()));
}

/** Bytes of a part that is written at once. */
const WRITTEN_AT_ONCE = 1_000_000;

/** Joins texts and bytes to few large parts, one at a time: those of a commit may be hundreds of megabytes. */
function* joinParts(input: readonly (string | Uint8Array)[]): Generator<Uint8Array> {
  let [parts, size]: [Uint8Array[], number] = [[], 0];
  for (const part of input) {
    parts.push(typeof part === "string" ? Buffer.from(part) : part);
    size += part.length;
    if (size < WRITTEN_AT_ONCE) continue;
    yield Buffer.concat(parts);
    [parts, size] = [[], 0];
  }
  if (size > 0) yield Buffer.concat(parts);
}

async function writeParts(
  child: Deno.ChildProcess,
  parts: Iterable<Uint8Array>,
): Promise<void> {
  try {
    await ReadableStream.from(parts).pipeTo(child.stdin);
  } catch (error) {
    if (!(error instanceof Deno.errors.BrokenPipe)) throw error;
  }
}

export function toText({ stdout }: GitResult): string {
  return new TextDecoder().decode(stdout).replace(/\n$/, "");
}

/** Messages of the local git, without those that a remote sent. */
function ownMessages({ stderr }: GitResult): string {
  return stderr.split("\n").filter((line) => !line.startsWith("remote:")).join("\n");
}

/** The line of git's messages that says what is wrong. */
export function findReason({ code, stderr }: GitResult): string {
  const lines = stderr.split("\n").map((line) => line.trim()).filter((line) => line !== "");
  const telling = lines.find((line) => /^(?:fatal|error|remote: error):/.test(line)) ??
    lines.at(-1);
  return telling?.replace(/^(?:fatal|error): |\.$/g, "") ?? `exit code ${code}`;
}
