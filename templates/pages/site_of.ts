import type { Site } from "../../lib/config/config.ts";
import type { Report } from "../../lib/report/report.ts";
import { siteName } from "../site_name.ts";

const known = new WeakMap<Report["sites"], ReadonlyMap<string, Site>>();

/** What a site is called, on one line; its slug where it is no longer configured. */
export function nameOf(slug: string, report: Pick<Report, "sites">): string {
  const site = siteOf(slug, report);
  return siteName(slug, site === undefined ? [] : [site]);
}

/** A configured site by its slug: looked for once for all, because thousands of incidents name one. */
export function siteOf(slug: string, { sites }: Pick<Report, "sites">): Site | undefined {
  const bySlug = known.get(sites) ?? new Map(sites.map(({ site }) => [site.slug, site]));
  known.set(sites, bySlug);
  return bySlug.get(slug);
}
