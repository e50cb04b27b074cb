import type { Site } from "../lib/config/config.ts";
import { plainText } from "../lib/text/plain_text.ts";

/** What there is to know of sites to name them. */
export type NamedSite = Pick<Site, "slug" | "name">;

/** The name of a site, on one line; its slug where it is no longer configured. */
export function siteName(slug: string, sites: readonly NamedSite[]): string {
  return plainText(sites.find((site) => site.slug === slug)?.name ?? slug);
}
