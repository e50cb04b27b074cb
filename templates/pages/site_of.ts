import type { Site } from "../../lib/config/config.ts";
import type { Report } from "../../lib/statistics/report/report.ts";
import { siteName } from "../site_name.ts";

const known = new WeakMap<Report["sites"], ReadonlyMap<string, Site>>();

/** The name of a site, on one line; if it is no longer configured, its slug as words: `old-shop` as `Old shop`. */
export function nameOf(slug: string, report: Pick<Report, "sites">): string {
  const site = siteOf(slug, report);
  if (site !== undefined) return siteName(slug, [site]);
  const words = siteName(slug, []).replaceAll(/[-_]+/g, " ").trim();
  return words === "" ? slug : words[0]!.toUpperCase() + words.slice(1);
}

/** A configured site by its slug: looked for once for all, because thousands of incidents name one. */
export function siteOf(slug: string, { sites }: Pick<Report, "sites">): Site | undefined {
  const bySlug = known.get(sites) ?? new Map(sites.map(({ site }) => [site.slug, site]));
  known.set(sites, bySlug);
  return bySlug.get(slug);
}
