import { type Group, listCounted } from "../../config/groups.ts";
import type { Site } from "../../config/config.ts";
import {
  ALL_STATUS_PATH,
  ALL_UPTIME_PATH,
  badgePath,
  groupBadgePath,
  isBlocked,
} from "../../history/api_path.ts";
import type { State } from "../../state.ts";
import { shorten } from "../../text/plain_text.ts";
import { computeMeanUptime, displayState, type Report, selectCounted } from "../report/report.ts";
import { type Badge, combinedStatusBadge, statusBadge, uptimeBadge } from "./badge.ts";

/** A badge with the path of its SVG. */
export type PlacedBadge = readonly [path: string, badge: Badge];

/** Longest name of a site in a badge, in characters. */
const LONGEST_NAME = 60;

/** Returns the status badges of a site: one without its name, and one with it. */
export function siteStatusBadges(
  { slug, name }: Pick<Site, "slug" | "name">,
  state: State,
): PlacedBadge[] {
  return [
    [badgePath(slug, "status"), statusBadge(state)],
    [badgePath(slug, "status-named"), statusBadge(state, shorten(name, LONGEST_NAME))],
  ];
}

/** Sites and their groups, some of which may be hidden. */
export interface Shown {
  groups: readonly Group[];
  sites: readonly Pick<Site, "slug" | "group" | "isExternal" | "paused">[];
}

/**
 * Returns the status badges of all sites together and of each group. `states` are those of the sites that are shown,
 * by slug. As in the headline, sites that others operate don't count unless there are no others.
 */
export function statusBadges(
  { groups, sites: all }: Shown,
  states: ReadonlyMap<string, State>,
): PlacedBadge[] {
  const sites = all.filter(({ slug }) => states.has(slug));
  const combine = (some: Shown["sites"]) =>
    combinedStatusBadge(some.flatMap(({ slug, paused }) => paused ? [] : states.get(slug)!));
  const byGroup = Map.groupBy(sites, ({ group }) => group);
  const hasGroups = byGroup.size > 1 || !byGroup.has(undefined);
  const ofGroups = groups.flatMap(({ name, slug }): PlacedBadge[] => {
    const own = byGroup.get(name);
    return own === undefined || !hasGroups ? [] : [[groupBadgePath(slug), combine(own)]];
  });
  const badges: PlacedBadge[] = [[ALL_STATUS_PATH, combine(listCounted(sites))], ...ofGroups];
  const slugs = new Set(sites.map(({ slug }) => slug));
  return badges.filter(([path]) => !isBlocked(path, slugs));
}

/** Returns the badges of a report that concern several sites. */
export function sharedBadges({ groups, sites: reports }: Report): PlacedBadge[] {
  const sites = reports.map(({ site }) => site);
  const states = new Map(reports.map((one) => [one.site.slug, displayState(one)]));
  const uptime = computeMeanUptime(selectCounted(reports), "all");
  const badge: PlacedBadge = [ALL_UPTIME_PATH, uptimeBadge("all", { uptime })];
  const isFree = !isBlocked(ALL_UPTIME_PATH, new Set(states.keys()));
  return [...statusBadges({ groups, sites }, states), ...isFree ? [badge] : []];
}
