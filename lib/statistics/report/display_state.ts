import { type HistoryRecord, isOurs } from "../../history/record.ts";
import type { Condition, State } from "../../state.ts";
import { IMPORTED_GAP } from "../timeline.ts";

/** Runs in a row without a result after which a site's state is unknown. */
const UNKNOWN_RUNS = 2;

/** Freshness of a site's last result. */
export interface Freshness {
  /** Runs in a row, up to the last, that had no result. */
  unknownRuns: number;
  /** End of the time that the last result covers, in milliseconds since 1970. */
  coveredUntil: number;
}

/** Input for {@linkcode displayState}. */
export interface Displayed {
  /** The condition that the last result left; absent if the site never had a result. */
  condition?: Condition;
  /** True if the site is in maintenance. */
  isInMaintenance?: boolean;
  /** True if the state is no longer known: see {@linkcode isLost}. */
  isUnknown?: boolean;
}

/**
 * Returns the state that page, README, badges, `status` and summary display. A state that is no longer known is
 * `unknown`, even if the site has an open incident, which stays open.
 */
export function displayState({ condition, isInMaintenance, isUnknown }: Displayed): State {
  if (isUnknown) return "unknown";
  return isInMaintenance ? "maintenance" : condition ?? "unknown";
}

/**
 * True if the state of a site is no longer known: the last result no longer covers the present, or two runs in
 * a row had none.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const of = (unknownRuns: number, now: number) => isLost({ unknownRuns, coveredUntil: 5000 }, now);
 * assertEquals([of(0, 4999), of(1, 4999), of(2, 4999), of(0, 5000)], [false, false, true, true]);
 * ```
 */
export function isLost({ unknownRuns, coveredUntil }: Freshness, now: number): boolean {
  return unknownRuns >= UNKNOWN_RUNS || coveredUntil <= now;
}

/** End of the time that a record covers, in milliseconds since 1970; Upptime writes one a day if nothing changes. */
export function coverageOfRecord(
  { lastUpdated, generator }: Pick<HistoryRecord, "lastUpdated" | "generator">,
  maxGap: number,
): number {
  const reach = isOurs(generator) ? maxGap : Math.max(maxGap, IMPORTED_GAP);
  return lastUpdated.epochMilliseconds + reach;
}
