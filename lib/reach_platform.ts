import type { Config } from "./config/config.ts";
import { ownRepository } from "./config/own_repository.ts";
import type { Context } from "./context.ts";
import { openPlatform } from "./doors/platform/open_platform.ts";
import type { Platform } from "./doors/platform/platform.ts";

/** What says which repository it is, and who asks. */
export interface Asking {
  config?: Pick<Config, "owner" | "repo">;
  /** Address of the git remote. */
  origin?: string;
  userAgent: string;
}

/** The platform's API for the repository that monitors; `undefined` where a token is missing, or nothing tells which repository it is. */
export function reachPlatform(
  { config = {}, origin, userAgent }: Asking,
  { environment, clock, log }: Pick<Context, "environment" | "clock" | "log">,
): Platform | undefined {
  const { token, api } = environment;
  const repository = ownRepository(config, environment, origin);
  if (token === undefined || repository === undefined) return undefined;
  const warn = (text: string) => log.warn(text);
  return openPlatform({ api, repository, token, userAgent, clock, warn });
}
