import type { Config } from "../../lib/config/config.ts";
import { homePage } from "../../lib/config/home_page.ts";
import { ownRepository } from "../../lib/config/own_repository.ts";
import type { Context } from "./context.ts";
import type { PlatformOptions } from "../../lib/github/asker.ts";
import { openPlatform } from "../../lib/github/open_platform.ts";
import type { Platform } from "../../lib/github/platform.ts";
import { userAgent } from "../../lib/io/user_agent.ts";

/** What says which repository it is. */
export interface Asking {
  config?: Pick<Config, "owner" | "repo">;
  /** Address of the git remote. */
  origin?: string;
}

/** The platform's API for the repository that monitors; `undefined` where a token is missing, or nothing tells which repository it is. */
export function reachPlatform(
  asking: Asking,
  context: Pick<Context, "environment" | "clock" | "log">,
): Platform | undefined {
  const options = platformOptions(asking, context);
  return options && openPlatform(options);
}

/** How {@linkcode reachPlatform} reaches it, for the parts of its API that have a door of their own. */
export function platformOptions(
  { config = {}, origin }: Asking,
  { environment, clock, log }: Pick<Context, "environment" | "clock" | "log">,
): PlatformOptions | undefined {
  const { token, api } = environment;
  const repository = ownRepository(config, environment, origin);
  if (token === undefined || repository === undefined) return undefined;
  const agent = userAgent(homePage(config, environment, origin));
  const warn = (text: string) => log.warn(text);
  return { api, repository, token, userAgent: agent, clock, warn };
}

/** Why {@linkcode reachPlatform} reaches none, with the cure. */
export function whyNoPlatform({ token }: Pick<Context["environment"], "token">): string {
  return token === undefined
    ? "there is no token; set HOST_PAT or GITHUB_TOKEN"
    : "nothing tells which repository it is; set GITHUB_REPOSITORY to owner/name, or owner and repo in the configuration";
}
