import { chooseLayout } from "../config/layout.ts";
import { groupPagePath } from "../config/page_path.ts";
import { SLUG_BYTES, toSlug } from "../config/slug.ts";
import { STATE_ORDER } from "../incidents/impact.ts";
import type { Report, SiteReport } from "../statistics/report/report.ts";
import { computeDisplayStatus, type DisplayStatus } from "./overall.ts";
import { countBytes } from "../text/plain_text.ts";

type Sites = Report["sites"];

/** The sites of a group, or of none. */
export interface SiteGroup {
  /** Absent for the sites without a group. */
  name?: string;
  sites: Sites;
  /** Its pages with their sites. */
  pages: readonly { path: string; sites: Sites }[];
}

/** Most sites on a page: a row has 6 to 12 kB, and a page should stay below a megabyte. */
export const MOST_ROWS = 75;

/** True if the overview has too many sites for one page, so that each group has pages of its own. */
export function isPaged({ sites }: { sites: readonly unknown[] }): boolean {
  return chooseLayout(sites.length) === "nested";
}

/** The groups of sites in the order of the configuration, with their pages. */
export function listGroups(sites: Sites): SiteGroup[] {
  const groups = [...Map.groupBy(sites, ({ site }) => site.group)];
  const slugs = nameGroups(groups.map(([name]) => name));
  return groups.map(([name, own]) => ({
    name,
    sites: own,
    pages: Array.from({ length: Math.ceil(own.length / MOST_ROWS) }, (_, index) => ({
      path: groupPagePath(slugs.get(name)!, index + 1),
      sites: own.slice(index * MOST_ROWS, (index + 1) * MOST_ROWS),
    })),
  }));
}

/** The path of the page of its group that lists a site, by slug; empty if the overview lists all sites. */
export function mapGroupPages(report: Pick<Report, "sites">): Map<string, string> {
  const pages = isPaged(report) ? listGroups(report.sites).flatMap(({ pages }) => pages) : [];
  return new Map(
    pages.flatMap(({ path, sites }) => sites.map(({ site }) => [site.slug, path] as const)),
  );
}

/**
 * Names the folders of groups; each name is used once. `undefined` stands for the sites without a group.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const slugs = nameGroups(["Shops & more", undefined, "shops - more", "Other", "..."]);
 * assertEquals([...slugs], [
 *   ["Shops & more", "shops---more"],
 *   ["shops - more", "shops---more-2"],
 *   ["Other", "other"],
 *   ["...", "group"],
 *   [undefined, "other-2"],
 * ]);
 * ```
 */
export function nameGroups(
  names: readonly (string | undefined)[],
): Map<string | undefined, string> {
  const slugs = new Map<string | undefined, string>();
  const taken = new Set<string>();
  for (const name of [...names.filter((one) => one !== undefined), undefined]) {
    const slug = name === undefined ? "other" : cutSlug(toSlug(name)) || "group";
    let own = slug;
    for (let number = 2; taken.has(own); number++) own = `${slug}-${number}`;
    taken.add(own);
    slugs.set(name, own);
  }
  return slugs;
}

/** Shortens a slug to what file systems take, without half a character at its end. */
function cutSlug(slug: string): string {
  if (countBytes(slug) <= SLUG_BYTES) return slug;
  const start = new TextEncoder().encode(slug).subarray(0, SLUG_BYTES);
  return new TextDecoder().decode(start).replace(/\ufffd$/, "");
}

/** Display statuses from the worst to the best. */
const WORST_FIRST: readonly DisplayStatus[] = [
  ...STATE_ORDER.toReversed().filter((state) => state !== "up" && state !== "unknown"),
  ...["unknown", "up", "paused"] as const,
];

/** Counts sites by their display status, the worst first; statuses that no site has are left out. */
export function countStatuses(
  sites: Sites,
  report: Pick<Report, "impacts">,
): [status: DisplayStatus, count: number][] {
  const counts = new Map<DisplayStatus, number>();
  for (const one of sites) {
    const status = computeDisplayStatus(one, { report });
    counts.set(status, (counts.get(status) ?? 0) + 1);
  }
  return WORST_FIRST.flatMap((status) => {
    const count = counts.get(status);
    return count === undefined ? [] : [[status, count]];
  });
}

/** The sites that are neither up nor paused, the worst first. */
export function listNotUp(report: Pick<Report, "sites" | "impacts">): SiteReport[] {
  const byStatus = Map.groupBy(report.sites, (one) => computeDisplayStatus(one, { report }));
  return WORST_FIRST.filter((status) => status !== "up" && status !== "paused")
    .flatMap((status) => byStatus.get(status) ?? []);
}
