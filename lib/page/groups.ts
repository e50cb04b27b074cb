import type { Group } from "../config/groups.ts";
import { groupPagePath } from "../config/page_path.ts";
import { STATE_ORDER } from "../incidents/impact.ts";
import type { Report, SiteReport } from "../statistics/report/report.ts";
import { isProblem } from "../state.ts";
import { computeDisplayStatus, type DisplayStatus } from "./overall.ts";

type Sites = Report["sites"];

export interface SiteGroup extends Group {
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

/** Most sites of a page on which each site has feeds of its own. */
const MOST_SITE_FEEDS = 200;

/** True if each site has feeds of its own; groups and the page always have some. */
export function hasSiteFeeds({ sites }: { sites: readonly unknown[] }): boolean {
  return sites.length <= MOST_SITE_FEEDS;
}

/** Lists the groups in the order in which they are shown; together they have each site once. */
export function listGroups({ groups, sites }: Pick<Report, "groups" | "sites">): SiteGroup[] {
  const byName = Map.groupBy(sites, ({ site }) => site.group);
  return groups.flatMap((group) => {
    const own = byName.get(group.name);
    return own === undefined ? [] : [{ ...group, path: groupPagePath(group.slug), sites: own }];
  });
}

/** True if at least one site has a group, so that headings with their names make sense. */
export function hasNames(groups: readonly SiteGroup[]): boolean {
  return groups.some(({ name }) => name !== undefined);
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

/** Most sites of a page whose groups are all open. */
const MOST_OPEN = 20;

/** True if the sites of a group are shown at once: something is wrong with one of them, or the page has few. */
export function isOpenGroup(
  { worst }: GroupSummary,
  { sites, isOutdated }: Pick<Report, "sites" | "isOutdated">,
): boolean {
  return sites.length <= MOST_OPEN || (!isOutdated && worst !== "up" && worst !== "paused");
}

/** Most rows that are shown at first, of all open lists together. */
const MOST_ROWS = 25;

/** Most rows that each of some open lists shows at first: all, unless they are more than a page of rows in all. */
export function countShownRows(lists: readonly Sites[]): number {
  const rows = lists.reduce((sum, sites) => sum + sites.length, 0);
  return rows > MOST_ROWS ? Math.max(1, Math.floor(MOST_ROWS / lists.length)) : rows;
}

/**
 * Splits the sites of a list into at most `most` that are shown at first, of which the worst come before those that are
 * up, and the others. Both are in the order of the list. A single site is not folded.
 */
export function foldSites(
  sites: Sites,
  report: Pick<Report, "impacts">,
  most: number,
): { shown: Sites; folded: Sites } {
  if (sites.length <= most + 1) return { shown: sites, folded: [] };
  const worst = new Set([...groupByStatus(sites, report).values()].flat().slice(0, most));
  return {
    shown: sites.filter((one) => worst.has(one)),
    folded: sites.filter((one) => !worst.has(one)),
  };
}

/** Number of sites from which on visitors can filter them. */
const FILTERED = 15;

export function hasFilter(sites: Sites): boolean {
  return sites.length >= FILTERED;
}

/** Number of sites that are not up as far as is known, for which visitors can filter them. */
export function countProblems(report: Pick<Report, "sites" | "impacts">): number {
  return [...groupByStatus(report.sites, report)].reduce(
    (sum, [status, own]) => isProblem(status) ? sum + own.length : sum,
    0,
  );
}

/** The sites that are neither up nor paused, the worst first. */
export function listNotUp(report: Pick<Report, "sites" | "impacts">): SiteReport[] {
  return [...groupByStatus(report.sites, report)]
    .flatMap(([status, own]) => status === "up" || status === "paused" ? [] : own);
}
