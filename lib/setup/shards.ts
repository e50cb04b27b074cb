import type { Config, Site } from "../config/config.ts";
import { listCheckedSites } from "../config/legs.ts";
import { listHostedLocations } from "../config/locations.ts";
import { LONGEST_SLOT } from "../evaluation/check_sites.ts";
import { startInterval } from "../evaluation/pacing.ts";
import { findResponseTime, type HistoryRecord } from "../history/record.ts";

const SECOND = 1_000;

/** Seconds that the checks of a job should take at most. */
const WANTED = 90;
/** Seconds from which a job gets help: a fifth more than wanted. */
const TOO_LONG = 108;
/** Milliseconds of a site that was never checked. */
const UNKNOWN_TIME = 1_000;

/**
 * Estimates the seconds that one job takes for all sites of a location, that with the most. A site that is down takes
 * its time limit, but no check keeps others waiting for longer than its slot.
 */
export function estimateSeconds(
  { sites, locations, concurrency }: Pick<Config, "sites" | "locations" | "concurrency">,
  records: ReadonlyMap<string, HistoryRecord>,
): number {
  const hosted = listHostedLocations({ locations });
  const parts = hosted.length === 0
    ? [listCheckedSites(sites, undefined)]
    : hosted.map((location) => listCheckedSites(sites, location));
  return Math.max(
    0,
    ...parts.map((part) => {
      const checks = part.map((site) => estimateTime(site, records.get(site.slug)));
      const starts = part.map(({ url }) => startInterval(url));
      return Math.max(sum(checks) / concurrency, sum(starts)) / SECOND;
    }),
  );
}

function estimateTime({ requestTimeout }: Site, record: HistoryRecord | undefined): number {
  const time = record === undefined
    ? UNKNOWN_TIME
    : record.status === "down"
    ? requestTimeout
    : findResponseTime(record) ?? UNKNOWN_TIME;
  return Math.min(time, LONGEST_SLOT);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

/**
 * Chooses the number of jobs for sites that take `seconds` in one. So that it does not change back and forth, the
 * `present` number stays until its jobs take a fifth longer than wanted, or a job less could do with a quarter more
 * sites.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals([5, 90, 91, 900].map((seconds) => resolveShards(seconds, undefined)), [1, 1, 2, 10]);
 * assertEquals([80, 100, 216, 217].map((seconds) => resolveShards(seconds, 2)), [2, 2, 2, 3]);
 * assertEquals(resolveShards(72, 2), 1);
 * ```
 */
export function resolveShards(seconds: number, present: number | undefined): number {
  const wanted = Math.max(1, Math.ceil(seconds / WANTED));
  if (present === undefined) return wanted;
  const isTooSlow = seconds / present > TOO_LONG;
  const isWasteful = Math.ceil(1.25 * seconds / WANTED) < present;
  return isTooSlow || isWasteful ? wanted : present;
}

/**
 * Reads the number of shards from the text of a generated workflow; 1 if it has none.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals(readShards("      matrix:\n        shard: [1, 2, 3]\n"), 3);
 * assertEquals(readShards("jobs:\n"), 1);
 * ```
 */
export function readShards(workflow: string): number {
  const [, numbers] = /^ +shard: \[([\d, ]+)\]$/m.exec(workflow) ?? [];
  return numbers?.split(",").length ?? 1;
}
