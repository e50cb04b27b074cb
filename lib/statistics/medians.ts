import type { MeasuredTimes } from "../history/older_times.ts";
import { findCheck, findFrom } from "../history/site_history.ts";
import { windowBack } from "../history/windows.ts";
import { DAY, HOUR } from "../time.ts";
import type { SiteReport } from "./report/report.ts";
import { percentile } from "./response_times.ts";
import type { Samples } from "./samples.ts";

/**
 * The median response times of equal parts of the last 7 days, in milliseconds, the oldest first; `undefined` where no
 * check had one. By default there are four in a day, which show how nights differ from days.
 */
export function computeWeekMedians({ checks, now }: Samples, count = 28): (number | undefined)[] {
  const { from } = windowBack("week", now, now);
  const step = (now - from) / count;
  return Array.from({ length: count }, (_, index) => {
    const start = from + index * step;
    // The last part includes the check that was made right now.
    const end = index === count - 1 ? now + 1 : start + step;
    const own = checks.slice(findCheck(checks, start), findCheck(checks, end));
    return computeMedian(own.flatMap(({ ms }) => ms ?? []));
  });
}

/** Median response times by hours of the week. */
export interface WeekHours {
  /** Seven days from Monday with 24 hours each, in milliseconds; `undefined` with fewer than 3 checks. */
  medians: readonly (readonly (number | undefined)[])[];
  /** 10 and 90 percent of all checks took at most this long, in milliseconds. */
  low: number;
  high: number;
}

/** Time of which single checks count, in milliseconds: whole weeks, so that each weekday counts alike. */
export const WEEKS = 28 * DAY;
const LEAST_DAYS = 14;
const LEAST_CHECKS = 3;

/**
 * Computes the median response times of each hour of the week, of the single checks of the last 28 days, by the clocks
 * of a zone; `undefined` before there are 14 days of data. `older` are those of days that a history has totals of.
 */
export function computeWeekHours(
  { samples: { now, maintenance }, history: { checks } }: Pick<SiteReport, "samples" | "history">,
  older: MeasuredTimes,
  zone: string,
): WeekHours | undefined {
  const from = now - WEEKS;
  const offsets = listOffsets(from, now, zone);
  const values = Array.from({ length: 7 * 24 }, (): number[] => []);
  const all: number[] = [];
  const days = new Set<number>();
  let first = Infinity;
  const recent = { times: checks.map(({ time }) => time), ms: checks.map(({ ms }) => ms) };
  for (const { times, ms } of [older, recent]) {
    let [current, day] = [0, NaN];
    const end = findFrom(times, now + 1, (time) => time);
    for (let index = findFrom(times, from, (time) => time); index < end; index++) {
      const [time, own] = [times[index]!, ms[index]];
      if (own === undefined || maintenance.some((one) => time >= one.from && time < one.to)) {
        continue;
      }
      first = Math.min(first, time);
      const ago = Math.floor((now - time) / DAY);
      if (ago !== day) days.add(day = ago);
      while (offsets[current + 1] !== undefined && offsets[current + 1]!.from <= time) current++;
      const hours = Math.floor((time + offsets[current]!.offset) / HOUR);
      // 1 January 1970 was a Thursday.
      values[(hours + 3 * 24) % (7 * 24)]!.push(own);
      all.push(own);
    }
  }
  if (days.size < LEAST_DAYS || now - first < LEAST_DAYS * DAY) return undefined;
  const medians = values.map((some) =>
    some.length < LEAST_CHECKS ? undefined : computeMedian(some)
  );
  const ascending = new Float64Array(all).sort();
  return {
    medians: Array.from({ length: 7 }, (_, day) => medians.slice(24 * day, 24 * (day + 1))),
    low: percentile(ascending, 0.1),
    high: percentile(ascending, 0.9),
  };
}

/** The offsets of a zone from UTC in milliseconds, each from a moment on. */
function listOffsets(from: number, to: number, zone: string): { from: number; offset: number }[] {
  let zoned = Temporal.Instant.fromEpochMilliseconds(from).toZonedDateTimeISO(zone);
  const offsets = [{ from, offset: zoned.offsetNanoseconds / 1e6 }];
  for (;;) {
    const next = zoned.getTimeZoneTransition("next");
    if (next === null || next.epochMilliseconds > to) return offsets;
    offsets.push({ from: next.epochMilliseconds, offset: next.offsetNanoseconds / 1e6 });
    zoned = next;
  }
}

function computeMedian(values: readonly number[]): number | undefined {
  return values.length === 0 ? undefined : percentile(new Float64Array(values).sort(), 0.5);
}
