import type { Config } from "../../lib/config/config.ts";
import type { Context } from "../../lib/context.ts";
import { PlatformError } from "../../lib/doors/platform/platform_error.ts";
import { reachPlatform, whyNoPlatform } from "../../lib/reach_platform.ts";

/** Why not everybody may read the repository, or why that can't be told; `undefined` where everybody may. */
export async function whyNotPublic(
  config: Config,
  origin: string | undefined,
  context: Context,
): Promise<string | undefined> {
  const platform = reachPlatform({ config, origin }, context);
  if (platform === undefined) return whyNoPlatform(context.environment);
  try {
    return await platform.isPublic() ? undefined : "the repository is private";
  } catch (error) {
    if (!(error instanceof PlatformError)) throw error;
    return error.message;
  }
}

/**
 * Why a page must not be published: that of a private repository is only where the configuration says
 * so, and what is not known counts as private. `undefined` where it may be.
 */
export async function whyUnpublished(
  config: Config,
  origin: string | undefined,
  context: Context,
): Promise<string | undefined> {
  if (config["status-website"]?.publish) return undefined;
  return await whyNotPublic(config, origin, context);
}
