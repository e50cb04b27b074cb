import type { ReadHistories } from "../../history/read_histories.ts";
import { type HistoryRecord, isOurs } from "../../history/record.ts";
import { findCheck } from "../../history/site_history.ts";
import { floorToDay } from "../../time.ts";
import { coverageOfCheck, IMPORTED_GAP } from "../timeline.ts";
import type { ReportTime } from "./report.ts";

/** Milliseconds after the last event, so that it counts and the state it found has started. */
const AFTER = 1_000;

/** True if a state is no longer known: its coverage has ended, or two runs in a row had no result. */
export function isLost(
  { unknownRuns, coveredUntil }: { unknownRuns: number; coveredUntil: number },
  now: number,
): boolean {
  return unknownRuns >= 2 || coveredUntil <= now;
}

/** End of the time that a record covers, in milliseconds since 1970; Upptime writes one a day if nothing changes. */
export function coverageOfRecord(
  { lastUpdated, generator }: Pick<HistoryRecord, "lastUpdated" | "generator">,
  maxGap: number,
): number {
  const reach = isOurs(generator) ? maxGap : Math.max(maxGap, IMPORTED_GAP);
  return lastUpdated.epochMilliseconds + reach;
}

/**
 * Computes the "now" of every report: windows, averages and states of badges, statistics, summary, graphs,
 * README, page and `status` are all measured back from it. It is one second after the last event of the
 * history (a check, a start or end of maintenance, or one of an incident that came later), so the same history gives the same numbers, whichever
 * command runs and however late. If no check covers the present any more, it is the start of the day (UTC), or
 * the last event if that is later, so that windows still move on day by day.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const now = Temporal.Instant.from("2026-11-21T10:06:00Z");
 * const history = (time: string) => ({
 *   slug: "shop", days: [], incidents: new Map(), maintenance: [],
 *   checks: [{ time: Date.parse(time), state: "up" as const, isImported: false }],
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
  { histories, records, maintenance }: Pick<
    ReadHistories,
    "histories" | "records" | "maintenance"
  >,
  { epochMilliseconds: now }: Temporal.Instant,
  maxGap: number,
): ReportTime {
  let [checked, coveredUntil] = [-Infinity, -Infinity];
  for (const { checks } of histories.values()) {
    const check = checks[findCheck(checks, now + 1) - 1];
    if (check === undefined) continue;
    checked = Math.max(checked, check.time);
    coveredUntil = Math.max(coveredUntil, coverageOfCheck(check, maxGap));
  }
  for (const record of records.values()) {
    const { epochMilliseconds: time } = record.lastUpdated;
    if (time > now) continue;
    checked = Math.max(checked, time);
    coveredUntil = Math.max(coveredUntil, coverageOfRecord(record, maxGap));
  }
  let last = checked;
  for (const { start, until, end = until } of maintenance.values()) {
    for (const { epochMilliseconds: time } of [start, end]) {
      if (time <= now) last = Math.max(last, time);
    }
  }
  const hasChecks = checked !== -Infinity;
  const isCurrent = hasChecks && now < coveredUntil;
  const found = latestFound(histories, now);
  const after = (found < last + AFTER ? last : found) + AFTER;
  return {
    time: Temporal.Instant.fromEpochMilliseconds(
      isCurrent ? after : Math.max(floorToDay(now), after),
    ),
    lastCheck: hasChecks ? Temporal.Instant.fromEpochMilliseconds(checked) : undefined,
    isOutdated: hasChecks && !isCurrent,
  };
}

/** The latest start or end of an incident, in milliseconds: the attempt that showed it may come late in a long run. */
function latestFound(histories: ReadHistories["histories"], now: number): number {
  let latest = -Infinity;
  for (const { incidents } of histories.values()) {
    for (const { start, end = start } of incidents.values()) {
      for (const { epochMilliseconds: time } of [start, end]) {
        if (time <= now) latest = Math.max(latest, time);
      }
    }
  }
  return latest;
}
