import type { CheckName, CheckTarget } from "./checks/mod.ts";
import type { Notification } from "./channels/keys.ts";
import type { Group } from "./groups.ts";
import type { PageConfig } from "./page/read_page.ts";
import { cadence, type ScheduleTimes } from "./schedule.ts";
import type { Location } from "./locations.ts";
import type { NearMiss } from "./references.ts";
import type { CommonKeys } from "./keys/site_keys.ts";
import type { TopKeys } from "./keys/top_keys.ts";
import { joinFirst } from "../text/words.ts";
import { didYouMean } from "../text/nearest.ts";
import type { Problem } from "../io/problem.ts";
import { MINUTE } from "../time.ts";

/** One monitored endpoint, with every default in place. */
export interface Site
  extends Omit<CommonKeys, "slug" | "requestTimeout" | "check" | "locations" | "quorum"> {
  /**
   * The public URL: as configured, without credentials that are written out; references to secrets by
   * their names. Only {@linkcode Site.target} knows more.
   */
  url: string;
  /** On one line, without control characters. */
  name: string;
  /** Name of its files; unique in the configuration. */
  slug: string;
  method?: string;
  /** Milliseconds until a request must be done. */
  requestTimeout: number;
  /** True if its group is operated by others: it is shown, and doesn't change the overall status. */
  isExternal: boolean;
  /** Channels notified only about this site. */
  notifications: Notification[];
  /** Its dependencies, in the order of the configuration; sites among them form no cycle. */
  dependsOn: readonly Dependency[];
  /** Names of the secrets it refers to, sorted. */
  secrets: string[];
  /** References that are not replaced, with the secrets that they probably mean. */
  nearMisses: readonly NearMiss[];
  /** Names of secrets that references in other case may mean, in capitals. */
  possibleSecrets: readonly string[];
  check: CheckName;
  /** Names of the locations that check it; empty if only the deciding run does. */
  locations: readonly string[];
  /** Locations that must see it down: from 1 to their number. */
  quorum: number;
  /** As its probe reads it, with the address as configured: it is never shown. */
  target: CheckTarget;
}

export interface ConfiguredMaintenance {
  name: string;
  /** Slugs of the sites that it concerns; at least one. */
  sites: readonly string[];
  startsAt: Temporal.Instant | ScheduleTimes;
  /** Milliseconds that it lasts: less than from one start to the next. */
  duration: number;
  timezone: string;
}

/** A configuration without the values that could not be used. */
export interface Config extends TopKeys, PageConfig {
  sites: Site[];
  notifications: Notification[];
  /** The groups of its sites, in the order in which they are shown. */
  groups: readonly Group[];
  /** In the order of the configuration; empty if only the deciding run checks. */
  locations: readonly Location[];
  maintenance: ConfiguredMaintenance[];
}

const MOST_NAMES = 20;

/** Finds a site by name or slug, ignoring case and Unicode form. */
export function findSite(sites: readonly Site[], words: string): Site | undefined {
  const fold = (text: string) => text.normalize().toLowerCase();
  const wanted = fold(words.trim());
  return sites.find(({ name, slug }) => [name, slug].map(fold).includes(wanted));
}

/** Error message for an unknown site: `Cannot find a site "shp": did you mean "Shop"? …`. */
export function whyNoSite(sites: readonly Site[], wanted: string): string {
  const hint = didYouMean(wanted, sites.map(({ name }) => name));
  return `Cannot find a site "${wanted}": ${hint}${listSites(sites)}`;
}

export function listSites(sites: readonly Site[]): string {
  const names = sites.map(({ name }) => name);
  return names.length === 0
    ? "no site is configured"
    : `the sites are ${joinFirst(names, MOST_NAMES)}`;
}

/**
 * The public address of a site: its `link`, else its `url`, without credentials and with the names of
 * secrets; `undefined` if it is hidden, consists of one secret, or is missing, as of a heartbeat.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals(shownAddress({ url: "https://a.example/?k=$KEY", hideUrl: false }), "https://a.example/?k=$KEY");
 * assertEquals(shownAddress({ url: "$ADDRESS", hideUrl: false }), undefined);
 * ```
 */
export function shownAddress(
  { link, url, hideUrl }: Pick<Site, "link" | "url" | "hideUrl">,
): string | undefined {
  if (link !== undefined) return link;
  return hideUrl || url === "" || /^\$[A-Za-z_]\w*$/.test(url) ? undefined : url;
}

/**
 * True if a configuration has every site, given its problems and the requested file: another file, or a site
 * that can't be read, may be why one is missing.
 *
 * @example
 * ```ts
 * import { assert } from "@std/assert";
 * assert(hasAllSites([]));
 * assert(!hasAllSites([], "staging.yml"));
 * assert(!hasAllSites([{ severity: "error", path: ["sites", 2], message: "expected a url" }]));
 * assert(hasAllSites([{ severity: "error", path: ["sites", 2, "tags"], message: "expected a list", isIgnored: true }]));
 * ```
 */
export function hasAllSites(problems: readonly Problem[], file?: string): boolean {
  return file === undefined &&
    problems.every(({ severity, isIgnored }) => severity !== "error" || isIgnored);
}

/** Longest time that a check covers, in milliseconds: three times the longest interval, at least 30 minutes. */
export function computeMaxGap(
  { history, workflowSchedule, sites }: Pick<Config, "history" | "workflowSchedule" | "sites">,
): number {
  if (history.maxGap !== undefined) return history.maxGap;
  const scheduled = cadence(workflowSchedule.uptime).shortest;
  const interval = Math.max(scheduled * MINUTE, ...sites.map(({ interval }) => interval));
  return Math.max(3 * interval, 30 * MINUTE);
}

/** A dependency of a site: another site, or an address that accepts connections, as configured. */
export type Dependency = { slug: string } | { address: string };

export function selectSlugs(dependencies: readonly Dependency[]): string[] {
  return dependencies.flatMap((one) => "slug" in one ? [one.slug] : []);
}

export function selectAddresses(dependencies: readonly Dependency[]): string[] {
  return dependencies.flatMap((one) => "address" in one ? [one.address] : []);
}

/** These sites and all that they depend on, directly or not; `graph` has the dependencies of each by its slug. */
export function findReachable(
  slugs: readonly string[],
  graph: ReadonlyMap<string, readonly Dependency[]>,
): Set<string> {
  const reached = new Set(slugs);
  for (const slug of reached) {
    for (const next of selectSlugs(graph.get(slug) ?? [])) reached.add(next);
  }
  return reached;
}
