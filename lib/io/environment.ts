import { parseSecretsContext } from "./secrets/secrets_file.ts";
import { terminalColumns } from "./terminal.ts";

/** What the program takes from the environment; nothing else of it is ever read. */
export interface Environment {
  /** Secrets by name, from `SECRETS_CONTEXT`. */
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
  /** Address of GitHub, for people. */
  server: string;
  /** Address of GitHub's API. */
  api: string;
  /** Whether the program runs in a job of GitHub. */
  onGitHub: boolean;
  /** Whether a person sits at the terminal and can be asked. */
  interactive: boolean;
  /** Whether output may be coloured and redrawn. */
  terminal: boolean;
  /** Columns of the terminal that the output goes to; absent where it goes elsewhere. */
  columns?: number;
}

/** Variables with a token, the first that is there counts. */
const TOKENS = ["HOST_PAT", "GITHUB_TOKEN", "GH_PAT"];

/**
 * Reads the environment once, at the start of the program.
 *
 * @throws {SyntaxError} Where `SECRETS_CONTEXT` isn't a JSON object of texts.
 */
export function readEnvironment(): Environment {
  const tokens = TOKENS.flatMap((name) => Deno.env.get(name)?.trim() || []);
  return {
    secrets: parseSecretsContext(Deno.env.get("SECRETS_CONTEXT") ?? ""),
    hasSecrets: /[^\s{}]/.test(Deno.env.get("SECRETS_CONTEXT") ?? ""),
    token: tokens[0],
    tokens,
    repository: Deno.env.get("GITHUB_REPOSITORY")?.trim() || undefined,
    actionRepository: ["ACTION_REPOSITORY", "GITHUB_ACTION_REPOSITORY"]
      .map((name) => Deno.env.get(name)?.trim()).find(Boolean),
    server: Deno.env.get("GITHUB_SERVER_URL") || "https://github.com",
    api: Deno.env.get("GITHUB_API_URL")?.trim() || "https://api.github.com",
    onGitHub: Deno.env.get("GITHUB_ACTIONS") === "true",
    interactive: Deno.stdin.isTerminal() && Deno.stdout.isTerminal(),
    terminal: Deno.stdout.isTerminal() && !Deno.env.get("NO_COLOR"),
    columns: terminalColumns(),
  };
}
