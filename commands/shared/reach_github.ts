import type { Config } from "../../lib/config/config.ts";
import { homePage, ownRepository } from "../../lib/config/repository.ts";
import type { Context } from "./context.ts";
import type { GitHubOptions } from "../../lib/github/client.ts";
import { openGitHub } from "../../lib/github/open_github.ts";
import type { GitHub } from "../../lib/github/github.ts";
import { userAgent } from "../../lib/io/requests.ts";

/** Sources of the repository's name. */
interface Asking {
  config?: Pick<Config, "owner" | "repo">;
  /** Address of the git remote. */
  remoteUrl?: string;
}

/**
 * Opens GitHub's API for the monitoring repository; `undefined` if the token or the repository's name is
 * missing.
 */
export function reachGitHub(
  asking: Asking,
  context: Pick<Context, "environment" | "clock" | "log">,
): GitHub | undefined {
  const options = githubOptions(asking, context);
  return options && openGitHub(options);
}

/** Options of {@linkcode reachGitHub}, for other parts of the API. */
export function githubOptions(
  { config = {}, remoteUrl }: Asking,
  { environment, clock, log }: Pick<Context, "environment" | "clock" | "log">,
): GitHubOptions | undefined {
  const { token, api } = environment;
  const repository = ownRepository(config, environment, remoteUrl);
  if (token === undefined || repository === undefined) return undefined;
  const agent = userAgent(homePage(config, environment, remoteUrl));
  const warn = (text: string) => log.warn(text);
  return { api, repository, token, userAgent: agent, clock, warn };
}

/** Why {@linkcode reachGitHub} returned nothing, with the cure. */
export function whyNoGitHub({ token }: Pick<Context["environment"], "token">): string {
  return token === undefined
    ? "there is no token; set HOST_PAT or GITHUB_TOKEN"
    : "nothing tells which repository it is; set GITHUB_REPOSITORY to owner/name, or owner and repo in the configuration";
}
