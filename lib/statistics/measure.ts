import { findCheck } from "../history/site_history.ts";
import { Histogram } from "../history/histogram.ts";
import { overlap, type Window } from "../history/windows.ts";
import { computeFromSums, computeResponseTimes } from "./response_times.ts";
import { addDays, computeStateTimes, findDays } from "./rolled_days.ts";
import type { Samples } from "./samples.ts";
import type { Objective, StateTimes, Statistics } from "./statistics.ts";

export interface Goals {
  /** Milliseconds up to which a response time satisfies. */
  apdex: number;
  /** Percent of the time that the site shall be up. */
  slo?: number;
}

/** Computes the statistics of a site in a window; the part of the window that lies in the future is ignored. */
export function measure(samples: Samples, window: Window, { apdex, slo }: Goals): Statistics {
  const { first, now } = samples;
  const times = computeStateTimes(samples, window);
  const { observed, maintenance, down } = times;
  const counted = observed - maintenance;
  const uptime = computeUptime(times);
  const length = (Math.min(window.to, now) - Math.max(window.from, first ?? now)) / 1000;
  const isDay = window.to - window.from <= DAY * 1000;
  const hasDay = length >= DAY && counted >= (isDay ? DAY / 2 : DAY);
  return {
    window,
    ...times,
    coverage: length > 0 ? Math.min(1, observed / length) : undefined,
    uptime,
    ...measureChecks(samples, window, apdex),
    ...measureOutages(samples, window, { up: Math.max(0, counted - down), down }),
    objective: slo === undefined
      ? undefined
      : computeObjective(slo, { counted, down, uptime, hasDay }),
  };
}

/** 1 - down / (observed - maintenance), from 0 to 1; `undefined` if nothing was observed outside of maintenance. */
export function computeUptime({ observed, maintenance, down }: StateTimes): number | undefined {
  const counted = observed - maintenance;
  return counted <= 0 ? undefined : Math.max(0, 1 - down / counted);
}

/** Seconds of data from which an error budget is long enough to mean something. */
const DAY = 86_400;

/** Compares a site with an objective in percent, given seconds that count, and those of them it was down. */
function computeObjective(
  slo: number,
  { counted, down, uptime, hasDay }: {
    counted: number;
    down: number;
    uptime?: number;
    /** True if the window has a full day of data; of one that is no longer itself, half of it is enough. */
    hasDay: boolean;
  },
): Objective {
  // 99.9 / 100 is a little more than 0.999.
  const target = Number((slo / 100).toPrecision(12));
  const isMet = uptime === undefined ? undefined : uptime >= target;
  if (!hasDay) return { target, isMet };
  const budget = (1 - target) * counted;
  return { target, isMet, budget, left: budget - down };
}

/** Measures checks: exactly without rolled-up days, else from histograms. */
function measureChecks(
  samples: Samples,
  window: Window,
  target: number,
): Pick<Statistics, "checks" | "responseTimes" | "apdex"> {
  const { checks } = samples;
  const [firstDay, endOfDays] = findDays(samples, window);
  const values: number[] = [];
  let [known, failed] = [0, 0];
  const end = findCheck(checks, window.to);
  for (let index = findCheck(checks, window.from); index < end; index++) {
    const { state, ms } = checks[index]!;
    if (state !== "unknown") known++;
    if (state === "down") failed++;
    if (ms !== undefined) values.push(ms);
  }
  if (firstDay >= endOfDays) {
    const satisfied = values.filter((ms) => ms <= target).length;
    const tolerated = values.filter((ms) => ms > target && ms <= 4 * target).length;
    return {
      checks: known,
      responseTimes: computeResponseTimes(values),
      apdex: computeApdex({ satisfied, tolerated, count: values.length + failed }),
    };
  }
  const histogram = new Histogram();
  const sums = { count: values.length, sum: 0, min: Infinity, max: -Infinity };
  for (const ms of values) {
    histogram.add(ms);
    sums.sum += ms;
    sums.min = Math.min(sums.min, ms);
    sums.max = Math.max(sums.max, ms);
  }
  addDays(histogram, samples.days, firstDay, endOfDays);
  for (const day of samples.days.slice(firstDay, endOfDays)) {
    const { up, degraded, down, maintenance, responseTimes } = day;
    known += up + degraded + down + maintenance;
    failed += down;
    const { count, sum, min, max } = responseTimes;
    if (count === 0) continue;
    sums.count += count;
    sums.sum += sum;
    sums.min = Math.min(sums.min, min);
    sums.max = Math.max(sums.max, max);
  }
  const satisfied = histogram.countUpTo(target);
  const tolerated = histogram.countUpTo(4 * target) - satisfied;
  return {
    checks: known,
    responseTimes: computeFromSums(sums, histogram),
    apdex: computeApdex({ satisfied, tolerated, count: sums.count + failed }),
  };
}

function computeApdex(
  { satisfied, tolerated, count }: { satisfied: number; tolerated: number; count: number },
): number | undefined {
  return count === 0 ? undefined : (satisfied + tolerated / 2) / count;
}

/**
 * Computes the outages of a window, given the seconds in it that the site was up and down, outside of
 * maintenance. The longest is no longer than all of the observed downtime: an incident that is still open
 * says nothing about the time since the last check.
 */
function measureOutages(
  { outages, opened, degradations, now }: Pick<
    Samples,
    "outages" | "opened" | "degradations" | "now"
  >,
  window: Window,
  { up, down }: { up: number; down: number },
): Pick<
  Statistics,
  "outages" | "incidents" | "degradations" | "longestOutage" | "mttr" | "mtbf"
> {
  const known = { from: window.from, to: Math.min(window.to, now) };
  const all = outages.filter(({ from }) => from < now);
  const ended = all.filter(({ to }) => to >= known.from && to < known.to);
  const started = all.filter(({ from }) => from >= known.from && from < known.to);
  const longest = Math.max(0, ...all.map((one) => overlap(one, known))) / 1000;
  return {
    outages: all.filter((one) => isInside(one, known)).length,
    incidents: countInside(opened, known),
    degradations: countInside(degradations, known),
    longestOutage: Math.min(down, longest),
    mttr: ended.length === 0
      ? undefined
      : ended.reduce((sum, { from, to }) => sum + (to - from), 0) / ended.length / 1000,
    mtbf: started.length === 0 ? undefined : up / started.length,
  };
}

/** True if a part of one window lies in another. */
function isInside(one: Window, { from, to }: Window): boolean {
  return one.from < to && one.to > from;
}

function countInside(incidents: Samples["opened"], window: Window): number {
  return [...incidents.values()]
    .filter((times) => times.some((one) => isInside(one, window))).length;
}
