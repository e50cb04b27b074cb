import type { ReadHistories } from "../history/read_histories.ts";
import type { Report } from "../report/report.ts";
import { firstAtOrAfter } from "../statistics/first_at_or_after.ts";
import { dayOf, HOUR } from "../time.ts";

/** Hours after which the last check says no more what "now" is. */
const STALE = 26 * HOUR;

/** The last check of any site until a moment; absent where there was none. */
export function lastCheck(
  { histories, records }: Pick<ReadHistories, "histories" | "records">,
  now: Temporal.Instant,
): Temporal.Instant | undefined {
  const limit = now.epochMilliseconds;
  let last = -Infinity;
  for (const { checks: { times } } of histories.values()) {
    last = Math.max(last, times[firstAtOrAfter(times, limit + 1) - 1] ?? -Infinity);
  }
  for (const { lastUpdated: { epochMilliseconds: time } } of records.values()) {
    if (time <= limit) last = Math.max(last, time);
  }
  return last === -Infinity ? undefined : Temporal.Instant.fromEpochMilliseconds(last);
}

/** The last check that a report knows. */
export function lastCheckOf(
  { sites, time }: Pick<Report, "sites" | "time">,
): Temporal.Instant | undefined {
  const histories = new Map(sites.map(({ site, history }) => [site.slug, history]));
  const records = new Map(
    sites.flatMap(({ site, record }) => record === undefined ? [] : [[site.slug, record]]),
  );
  return lastCheck({ histories, records }, time);
}

/**
 * Whether the last check says no more how sites are, on a page that is of a moment which {@linkcode pageTime}
 * made of it; not where there was none.
 */
export function isOutdated(last: Temporal.Instant | undefined, time: Temporal.Instant): boolean {
  return last !== undefined && time.epochMilliseconds - last.epochMilliseconds > AFTER;
}

/** Milliseconds after the last check, so that it counts and what it found has begun. */
const AFTER = 1_000;

/**
 * What "now" means on the page: a second after the last check began, so that the same checks make the same
 * page whenever it is built. Where that is long ago or there was none, the begin of the day (UTC), so that days go by all the same.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const now = Temporal.Instant.from("2026-11-21T10:06:00Z");
 * assertEquals(pageTime(now.subtract({ minutes: 1 }), now).toString(), "2026-11-21T10:05:01Z");
 * assertEquals(pageTime(now.subtract({ hours: 27 }), now).toString(), "2026-11-21T00:00:00Z");
 * assertEquals(pageTime(undefined, now).toString(), "2026-11-21T00:00:00Z");
 * ```
 */
export function pageTime(
  last: Temporal.Instant | undefined,
  { epochMilliseconds: now }: Temporal.Instant,
): Temporal.Instant {
  if (last !== undefined && now - last.epochMilliseconds <= STALE) {
    return last.add({ milliseconds: AFTER });
  }
  return Temporal.Instant.fromEpochMilliseconds(dayOf(now));
}
