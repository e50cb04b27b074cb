import type { Config } from "../../lib/config/config.ts";
import type { Context } from "../../lib/context.ts";
import type { Surroundings } from "../../lib/doors/git/repository.ts";
import { whyNotPublic } from "./why_not_public.ts";

/** Where the script of the page reads how sites are, and why that is not where the configuration wants it. */
export interface LiveSource {
  live: Config["pages"]["live"];
  note?: string;
}

/**
 * Where the script of the page may read how sites are. Visitors are sent to the repository only where
 * everybody may read it: whether it is private is asked each time, and what is not known counts as private.
 */
export async function liveSource(
  config: Config,
  { origin, prefix }: Surroundings,
  context: Context,
): Promise<LiveSource> {
  const { live } = config.pages;
  if (live !== "repository") return { live };
  const reason = prefix === ""
    ? await whyNotPublic(config, origin, context)
    : "the configuration is not at the top of the repository";
  if (reason === undefined) return { live };
  return { live: "page", note: `pages.live is page and not repository here: ${reason}` };
}
