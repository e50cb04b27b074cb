import type { Config } from "../../lib/config/config.ts";
import { homePage, ownRepository } from "../../lib/config/repository.ts";
import type { Context } from "./context.ts";
import type { GitHubOptions } from "../../lib/github/client.ts";
import { openGitHub } from "../../lib/github/open_github.ts";
import type { GitHub } from "../../lib/github/github.ts";
import { userAgent } from "../../lib/io/requests.ts";

/** Sources of the repository's name; `remoteUrl` is the address of the git remote. */
type Sources = { config?: Pick<Config, "owner" | "repo">; remoteUrl?: string };

/** Opens GitHub's API for the monitoring repository; `undefined` if its name or the token is missing. */
export function reachGitHub(
  sources: Sources,
  context: Pick<Context, "environment" | "clock" | "log">,
): GitHub | undefined {
  const options = githubOptions(sources, context);
  return options && openGitHub(options);
}

export function githubOptions(
  { config = {}, remoteUrl }: Sources,
  { environment, clock, log }: Pick<Context, "environment" | "clock" | "log">,
): GitHubOptions | undefined {
  const { token, api } = environment;
  const repository = ownRepository(config, environment, remoteUrl);
  if (token === undefined || repository === undefined) return undefined;
  const agent = userAgent(homePage(config, environment, remoteUrl));
  const warn = (text: string) => log.warn(text);
  return { api, repository, token, userAgent: agent, clock, warn };
}

/** Explains why {@linkcode reachGitHub} returned nothing, with the cure. */
export function whyNoGitHub({ token }: Pick<Context["environment"], "token">): string {
  return token === undefined
    ? "no token is set; set HOST_PAT or GITHUB_TOKEN"
    : "the repository is unknown; set GITHUB_REPOSITORY to owner/name, or owner and repo in the configuration";
}
