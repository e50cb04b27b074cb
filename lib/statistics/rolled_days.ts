import type { State } from "../state.ts";
import { DAY, floorToDay } from "../time.ts";
import type { DayTotals } from "../history/daily_log.ts";
import { type Check, findDay, findFrom } from "../history/site_history.ts";
import { Histogram, ParsedHistograms } from "../history/histogram.ts";
import { overlap, type Window } from "../history/windows.ts";
import type { Samples } from "./samples.ts";
import type { StateTimes } from "./statistics.ts";
import { appendInterval, type Interval, withMaintenance } from "./timeline.ts";

/**
 * Finds the rolled-up days of a window, each of them as a whole: those whose noon (UTC) lies in it, so that windows that
 * follow each other share none. Returns the index of the first, and that after the last.
 */
export function findDays({ days }: Samples, { from, to }: Window): [first: number, end: number] {
  return [findDay(days, from - DAY / 2), findDay(days, to - DAY / 2)];
}

/** Adds the response times of days, from one index up to another, to a histogram. */
export function addDays(
  histogram: Histogram,
  days: readonly DayTotals[],
  first: number,
  end: number,
): void {
  HISTOGRAMS.getOrInsertComputed(days, parseHistograms).addTo(histogram, first, end);
}

/** Histograms of days: several windows are measured from them, and graphs are drawn. */
const HISTOGRAMS = new WeakMap<readonly DayTotals[], ParsedHistograms>();

function parseHistograms(days: readonly DayTotals[]): ParsedHistograms {
  const times = days.map(({ responseTimes }) => responseTimes);
  return new ParsedHistograms(times.map(({ count, histogram }) => count === 0 ? "" : histogram));
}

export function computeStateTimes(samples: Samples, window: Window): StateTimes {
  const times: StateTimes = { observed: 0, maintenance: 0, down: 0, degraded: 0 };
  for (const interval of samples.intervals) {
    const seconds = overlap(interval, window) / 1000;
    if (seconds === 0) continue;
    times.observed += seconds;
    const { state } = interval;
    if (state !== "up" && state !== "unknown") times[state] += seconds;
  }
  for (const day of samples.days.slice(...findDays(samples, window))) {
    times.observed += day.observedTime;
    times.maintenance += day.maintenanceTime;
    times.degraded += day.degradedTime;
    times.down += Math.min(day.downTime, day.observedTime);
  }
  return times;
}

/**
 * The states of a site through a whole window, ascending and without overlaps; `unknown` if nothing was
 * observed. Of rolled-up days only maintenance and incidents have exact times; all else is `up`.
 */
export function computeIntervals(samples: Samples, { from, to }: Window): Interval[] {
  const { days } = samples;
  const observed = days.slice(findDay(days, floorToDay(from)), findDay(days, to))
    .filter(({ observedTime }) => observedTime > 0);
  const known = [...samples.intervals, ...rolledIntervals(samples, observed)]
    .filter((interval) => interval.from < to && interval.to > from)
    .sort((one, other) => one.from - other.from);
  const all: Interval[] = [];
  let end = from;
  for (const interval of known) {
    const start = Math.max(interval.from, end);
    const until = Math.min(interval.to, to);
    if (until <= start) continue;
    appendInterval(all, { from: end, to: start, state: "unknown" });
    appendInterval(all, { from: start, to: until, state: interval.state });
    end = until;
  }
  appendInterval(all, { from: end, to, state: "unknown" });
  return all;
}

function rolledIntervals(
  { incidents, maintenance }: Samples,
  days: readonly DayTotals[],
): Interval[] {
  const intervals: Interval[] = [];
  let past = 0;
  for (const { from } of days) {
    const end = from + DAY;
    let cursor = from;
    while (past < incidents.length && incidents[past]!.to <= from) past++;
    for (let at = past; at < incidents.length && incidents[at]!.from < end; at++) {
      const start = Math.max(cursor, incidents[at]!.from);
      const until = Math.min(end, incidents[at]!.to);
      if (until <= start) continue;
      appendInterval(intervals, { from: cursor, to: start, state: "up" });
      appendInterval(intervals, { from: start, to: until, state: incidents[at]!.state });
      cursor = until;
    }
    appendInterval(intervals, { from: cursor, to: end, state: "up" });
  }
  return withMaintenance(intervals, maintenance);
}

/** Rolls up each day that is over and that single checks cover, ascending. */
export function rollUp({ checks, intervals, now }: Samples): DayTotals[] {
  const byDay = Map.groupBy(checks, ({ time }) => floorToDay(time));
  const covered = new Set(byDay.keys());
  for (const { from, to } of intervals) {
    for (let day = floorToDay(from); day < to; day += DAY) covered.add(day);
  }
  const over = [...covered].filter((day) => day + DAY <= now).sort((one, other) => one - other);
  return over.map((day) => computeTotals(day, byDay.get(day) ?? [], intervals));
}

function computeTotals(
  from: number,
  checks: readonly Check[],
  all: Samples["intervals"],
): DayTotals {
  const window = { from, to: from + DAY };
  const intervals = all.slice(findFrom(all, from, ({ to }) => to));
  const seconds = { up: 0, degraded: 0, down: 0, maintenance: 0, unknown: 0 };
  for (const interval of intervals) {
    if (interval.from >= window.to) break;
    seconds[interval.state] += overlap(interval, window) / 1000;
  }
  const count = (state: State) => checks.filter((one) => one.state === state).length;
  const times = checks.flatMap(({ ms }) => ms ?? []);
  const histogram = new Histogram();
  for (const ms of times) histogram.add(ms);
  return {
    ...{ from, checks: checks.length },
    ...{ up: count("up"), degraded: count("degraded"), down: count("down") },
    ...{ maintenance: count("maintenance"), unknown: count("unknown") },
    observedTime: Object.values(seconds).reduce((sum, one) => sum + one, 0),
    downTime: seconds.down,
    degradedTime: seconds.degraded,
    maintenanceTime: seconds.maintenance,
    responseTimes: {
      count: times.length,
      sum: times.reduce((sum, ms) => sum + ms, 0),
      min: times.reduce((least, ms) => Math.min(least, ms), Infinity),
      max: times.reduce((most, ms) => Math.max(most, ms), -Infinity),
      histogram: histogram.format(),
    },
  };
}
