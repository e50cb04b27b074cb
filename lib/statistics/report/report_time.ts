import type { ReadHistories } from "../../history/read_histories.ts";
import { firstAtOrAfter } from "../../history/first_at_or_after.ts";
import { IMPORTED_GAP } from "../timeline.ts";
import { dayOf } from "../../time.ts";
import { coverageOfRecord } from "./display_state.ts";

/** Milliseconds after the last event, so that it counts and the state it found has started. */
const AFTER = 1_000;

/** The moment that a report is of. */
export interface ReportTime {
  time: Temporal.Instant;
  /** The last check of any site until now; absent if there was none. */
  lastCheck?: Temporal.Instant;
  /** True if no check of any site covers the present, so that no state is known any more. */
  isOutdated: boolean;
}

/**
 * Computes the "now" of every report: windows, averages and states of badges, statistics, summary, graphs,
 * README, page and `status` are all measured back from it. It is one second after the last event of the
 * history (a check, or a start or end of maintenance), so the same history gives the same numbers, whichever
 * command runs and however late. If no check covers the present any more, it is the start of the day (UTC), or
 * the last event if that is later, so that windows still move on day by day.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { NO_CHECKS } from "../../history/logs/check_columns.ts";
 * import { NO_DAYS } from "../../history/logs/packed_days.ts";
 * const now = Temporal.Instant.from("2026-11-21T10:06:00Z");
 * const history = (time: string) => ({
 *   slug: "shop", days: NO_DAYS, incidents: new Map(), maintenance: [], windows: [],
 *   checks: { ...NO_CHECKS, length: 1, times: Float64Array.of(Date.parse(time)) },
 * });
 * const of = (time: string) => {
 *   const histories = new Map([["shop", history(time)]]);
 *   return reportTime({ histories, records: new Map(), maintenance: new Map() }, now, 1_800_000);
 * };
 * assertEquals(of("2026-11-21T10:05:00Z").time.toString(), "2026-11-21T10:05:01Z");
 * assertEquals(of("2026-11-20T07:00:00Z").time.toString(), "2026-11-21T00:00:00Z");
 * assertEquals(of("2026-11-20T07:00:00Z").isOutdated, true);
 * ```
 */
export function reportTime(
  { maintenance, ...known }: Pick<ReadHistories, "histories" | "records" | "maintenance">,
  { epochMilliseconds: now }: Temporal.Instant,
  maxGap: number,
): ReportTime {
  const { checked, coveredUntil } = lastCheckUntil(known, { limit: now, maxGap });
  let last = checked;
  for (const { start, until, end = until } of maintenance.values()) {
    for (const { epochMilliseconds: time } of [start, end]) {
      if (time <= now) last = Math.max(last, time);
    }
  }
  const hasChecks = checked !== -Infinity;
  const isCurrent = hasChecks && now < coveredUntil;
  const after = last + AFTER;
  return {
    time: Temporal.Instant.fromEpochMilliseconds(isCurrent ? after : Math.max(dayOf(now), after)),
    lastCheck: hasChecks ? Temporal.Instant.fromEpochMilliseconds(checked) : undefined,
    isOutdated: hasChecks && !isCurrent,
  };
}

/** The last check of any site, and the end of the time that any check covers, up to now. */
function lastCheckUntil(
  { histories, records }: Pick<ReadHistories, "histories" | "records">,
  { limit, maxGap }: { limit: number; maxGap: number },
): { checked: number; coveredUntil: number } {
  let [checked, coveredUntil] = [-Infinity, -Infinity];
  for (const { checks: { times, imported } } of histories.values()) {
    const index = firstAtOrAfter(times, limit + 1) - 1;
    if (index < 0) continue;
    checked = Math.max(checked, times[index]!);
    const reach = imported[index] === 1 ? Math.max(maxGap, IMPORTED_GAP) : maxGap;
    coveredUntil = Math.max(coveredUntil, times[index]! + reach);
  }
  for (const record of records.values()) {
    const { epochMilliseconds: time } = record.lastUpdated;
    if (time > limit) continue;
    checked = Math.max(checked, time);
    coveredUntil = Math.max(coveredUntil, coverageOfRecord(record, maxGap));
  }
  return { checked, coveredUntil };
}
