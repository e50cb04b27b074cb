import type { Site } from "../../lib/config/config.ts";
import type { Report } from "../../lib/report/report.ts";

const known = new WeakMap<Report["sites"], ReadonlyMap<string, Site>>();

/** A configured site by its slug: looked for once for all, because thousands of incidents name one. */
export function siteOf(slug: string, { sites }: Pick<Report, "sites">): Site | undefined {
  const bySlug = known.get(sites) ?? new Map(sites.map(({ site }) => [site.slug, site]));
  known.set(sites, bySlug);
  return bySlug.get(slug);
}
