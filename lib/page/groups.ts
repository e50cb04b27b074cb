import { groupPagePath } from "../config/page_path.ts";
import { SLUG_BYTES, toSlug } from "../config/slug.ts";
import type { WindowName } from "../history/windows.ts";
import { STATE_ORDER } from "../incidents/impact.ts";
import type { Report, SiteReport } from "../statistics/report/report.ts";
import { computeDisplayStatus, type DisplayStatus } from "./overall.ts";
import { countBytes } from "../text/plain_text.ts";

type Sites = Report["sites"];

/** The sites of a group, or those of none. */
export interface SiteGroup {
  /** Absent for the sites without a group. */
  name?: string;
  /** Names the folder of its page, and its place on the overview. */
  slug: string;
  /** Path of its page. */
  path: string;
  sites: Sites;
}

/** Most sites that a list shows in full; if there are more, the overview lists groups and the sites that are not up. */
export const MOST_SITES = 500;

/** True if the overview lists groups instead of all sites. */
export function isGrouped({ sites }: { sites: readonly unknown[] }): boolean {
  return sites.length > MOST_SITES;
}

/** Lists the groups of sites in the order of the configuration; together they have each site once. */
export function listGroups(sites: Sites): SiteGroup[] {
  const groups = [...Map.groupBy(sites, ({ site }) => site.group)];
  const slugs = nameGroups(groups.map(([name]) => name));
  return groups.map(([name, own]) => {
    const slug = slugs.get(name)!;
    return { name, slug, path: groupPagePath(slug), sites: own };
  });
}

/** True if at least one site has a group, so that headings with their names make sense. */
export function hasNames(groups: readonly SiteGroup[]): boolean {
  return groups.some(({ name }) => name !== undefined);
}

/**
 * Names the folders of groups, each differently. `other` belongs to the sites without a group (`undefined`), even if
 * there are none, so that the address of a group called "Other" doesn't depend on them.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals([...nameGroups(["Shops", undefined, "shops", "Shops 2", "Other", "..."])], [
 *   ["Shops", "shops"],
 *   [undefined, "other"],
 *   ["shops", "shops-3"],
 *   ["Shops 2", "shops-2"],
 *   ["Other", "other-2"],
 *   ["...", "group"],
 * ]);
 * ```
 */
export function nameGroups(
  names: readonly (string | undefined)[],
): Map<string | undefined, string> {
  const owners = new Map<string, string | undefined>([[OTHER, undefined]]);
  for (const name of names) owners.getOrInsert(toGroupSlug(name), name);
  return new Map(names.map((name) => {
    const slug = toGroupSlug(name);
    let own = slug;
    for (let number = 2; owners.has(own) && owners.get(own) !== name; number++) {
      own = `${slug}-${number}`;
    }
    owners.set(own, name);
    return [name, own];
  }));
}

/** Slug of the sites without a group. */
const OTHER = "other";

function toGroupSlug(name: string | undefined): string {
  return name === undefined ? OTHER : cutSlug(toSlug(name)) || "group";
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

/** Groups sites by their display status, the worst first. */
export function groupByStatus(
  sites: Sites,
  report: Pick<Report, "impacts">,
): Map<DisplayStatus, SiteReport[]> {
  const byStatus = Map.groupBy(sites, (one) => computeDisplayStatus(one, { report }));
  const rank = ([status]: [DisplayStatus, unknown]) => WORST_FIRST.indexOf(status);
  return new Map([...byStatus].toSorted((one, other) => rank(one) - rank(other)));
}

/** State of a group: the worst of its sites that are not paused. */
export interface GroupSummary {
  /** `paused` if all are. */
  worst: DisplayStatus;
  /** Sites that are up, of those that are not paused. */
  up: number;
  total: number;
}

export function summarizeGroup(sites: Sites, report: Pick<Report, "impacts">): GroupSummary {
  const byStatus = groupByStatus(sites, report);
  const [worst = "paused"] = byStatus.keys();
  return {
    worst,
    up: byStatus.get("up")?.length ?? 0,
    total: sites.length - (byStatus.get("paused")?.length ?? 0),
  };
}

/** The mean uptime of the sites in a window, from 0 to 1; absent if none was observed. */
export function computeMeanUptime(sites: Sites, window: WindowName): number | undefined {
  const known = sites.map(({ statistics }) => statistics[window].uptime)
    .filter((uptime) => uptime !== undefined);
  return known.length === 0
    ? undefined
    : known.reduce((sum, uptime) => sum + uptime, 0) / known.length;
}

/** Most sites of a page whose groups are all open. */
const MOST_OPEN = 20;

/** True if the sites of a group are shown at once: something is wrong with one of them, or the page has few. */
export function isOpenGroup(
  { worst }: GroupSummary,
  { sites, isOutdated }: Pick<Report, "sites" | "isOutdated">,
): boolean {
  return sites.length <= MOST_OPEN || (!isOutdated && worst !== "up" && worst !== "paused");
}

/** Number of sites from which on visitors can filter them. */
const FILTERED = 15;

export function hasFilter(sites: Sites): boolean {
  return sites.length >= FILTERED;
}

/** The sites that are neither up nor paused, the worst first. */
export function listNotUp(report: Pick<Report, "sites" | "impacts">): SiteReport[] {
  return [...groupByStatus(report.sites, report)]
    .flatMap(([status, own]) => status === "up" || status === "paused" ? [] : own);
}
