import type { State } from "../state.ts";
import type { DayTotals } from "./daily_log.ts";
import type { Incident } from "./incident.ts";
import type { Window } from "./windows.ts";

export interface Check {
  /** Start of its run, in milliseconds since 1970. */
  time: number;
  state: State;
  /** Response time in milliseconds, of a successful check. */
  ms?: number;
  isImported: boolean;
  /** Milliseconds of each of {@linkcode TIMING_NAMES}, of some successful checks. */
  timings?: readonly number[];
}

/** The parts of a response time that logs store, in their order. */
export const TIMING_NAMES = ["dns", "connect", "tls", "ttfb", "download"] as const;

/** Checks of a site from one of its locations. */
export interface LocationHistory {
  /** In the state that the location found, confirmed or not. */
  checks: readonly Check[];
  days: readonly DayTotals[];
  /** The last of the checks; absent if those of the last days are gone. */
  last?: LastCheck;
}

/** The result of a location's last check. */
export interface LastCheck {
  time: Temporal.Instant;
  state: State;
  code: number;
  /** Response time in milliseconds, of a successful check. */
  ms?: number;
  /** Plain text, secrets redacted. */
  error?: string;
}

export interface SiteHistory {
  slug: string;
  /** When it was first monitored, in milliseconds since 1970; absent while nothing is known of it. */
  first?: number;
  /** Ascending, each once: those of the last days, and those of days that are not rolled up. */
  checks: readonly Check[];
  /** Days that are rolled up, ascending. */
  days: readonly DayTotals[];
  /** By id, the oldest first. */
  incidents: ReadonlyMap<string, Incident>;
  /** Maintenance windows that have a file, ascending and without overlaps. */
  maintenance: readonly Window[];
  /** By name, also of locations that are no longer configured; absent if the history names none. */
  locations?: ReadonlyMap<string, LocationHistory>;
}

/**
 * Index of the first of ascending items whose moment is not before another; their number if all are.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const find = (moment: number) => findFrom([1, 3, 5], moment, (one) => one);
 * assertEquals([0, 3, 4, 6].map(find), [0, 1, 2, 3]);
 * ```
 */
export function findFrom<T>(
  items: readonly T[],
  moment: number,
  momentOf: (item: T) => number,
): number {
  let low = 0;
  let high = items.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (momentOf(items[middle]!) < moment) low = middle + 1;
    else high = middle;
  }
  return low;
}

export function findCheck(checks: readonly Check[], moment: number): number {
  return findFrom(checks, moment, ({ time }) => time);
}

export function findDay(days: readonly DayTotals[], moment: number): number {
  return findFrom(days, moment, ({ from }) => from);
}
