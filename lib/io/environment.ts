import { AsyncLocalStorage } from "node:async_hooks";
import { FEWEST_COLUMNS } from "../text/wrap.ts";
import { type Input, systemInput, terminalColumns } from "./terminal.ts";
import { type Clock, systemClock } from "./clock.ts";
import { parseSecretsContext } from "./secrets/secrets_file.ts";

export interface Output {
  writeSync(bytes: Uint8Array): number;
}

export type Stream = "stdout" | "stderr";

/** The process as a run of the program sees it. */
export interface ProgramIo {
  env: { get(name: string): string | undefined };
  stdin: Input;
  stdout: Output;
  stderr: Output;
  /** Columns of the terminal that a stream goes to; `undefined` if it goes elsewhere. */
  columns(stream: Stream): number | undefined;
  clock: Clock;
  /** Ends a command that runs until it is stopped; without it the signals of the system do. */
  signal?: AbortSignal;
}

export const systemIo: ProgramIo = {
  env: Deno.env,
  stdin: systemInput,
  stdout: Deno.stdout,
  stderr: Deno.stderr,
  columns: terminalColumns,
  clock: systemClock,
};

const running = new AsyncLocalStorage<ProgramIo["env"]>();

/** Runs `action` with variables that child processes are given some of. */
export function withVariables<T>(env: ProgramIo["env"], action: () => T): T {
  return running.run(env, action);
}

export function variables(): ProgramIo["env"] {
  return running.getStore() ?? Deno.env;
}

/** Settings from environment variables; no others are read. */
export interface Environment {
  secrets: Record<string, string>;
  /** True if `SECRETS_CONTEXT` is set, even if none of the secrets it names has a value. */
  hasSecrets: boolean;
  /** Token for GitHub: `HOST_PAT`, else `GITHUB_TOKEN`, else Upptime's `GH_PAT`. */
  token?: string;
  /** Every token that is there, used or not. */
  tokens: readonly string[];
  /** `owner/name` of the repository a job works for. */
  repository?: string;
  /** `owner/name` of the repository that the action of a job comes from. */
  actionRepository?: string;
  server: string;
  api: string;
  onGitHub: boolean;
  /** True if a person at the terminal can be asked. */
  interactive: boolean;
  /** True if output may be colored and redrawn. */
  terminal: boolean;
  /** Columns that output is laid out for; absent without a terminal. */
  columns?: number;
  /** JSON of what the workflow Announce was given. */
  announcement?: string;
  /** Returns a variable that holds the beats of a job; other names have no value. */
  readBeats(name: string): string | undefined;
}

/** Variables with a token, the first that is there counts. */
const TOKENS = ["HOST_PAT", "GITHUB_TOKEN", "GH_PAT"];

/**
 * Reads the environment once, at the start of the program.
 *
 * @throws {SyntaxError} If `SECRETS_CONTEXT` isn't a JSON object of texts.
 */
export function readEnvironment({ env, stdin, columns }: ProgramIo): Environment {
  const width = columns("stdout");
  const tokens = TOKENS.flatMap((name) => env.get(name)?.trim() || []);
  return {
    secrets: parseSecretsContext(env.get("SECRETS_CONTEXT") ?? ""),
    hasSecrets: /[^\s{}]/.test(env.get("SECRETS_CONTEXT") ?? ""),
    token: tokens[0],
    tokens,
    repository: env.get("GITHUB_REPOSITORY")?.trim() || undefined,
    actionRepository: ["ACTION_REPOSITORY", "GITHUB_ACTION_REPOSITORY"]
      .map((name) => env.get(name)?.trim()).find(Boolean),
    server: env.get("GITHUB_SERVER_URL") || "https://github.com",
    api: env.get("GITHUB_API_URL")?.trim() || "https://api.github.com",
    onGitHub: env.get("GITHUB_ACTIONS") === "true",
    interactive: stdin.isTerminal() && width !== undefined,
    terminal: width !== undefined && !env.get("NO_COLOR"),
    columns: width && Math.max(FEWEST_COLUMNS, width),
    announcement: env.get("ANNOUNCEMENT")?.trim() || undefined,
    readBeats: (name) => /^HEARTBEAT_\w+$/.test(name) ? env.get(name) : undefined,
  };
}
