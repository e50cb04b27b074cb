import type { State } from "../state.ts";
import { findCheck } from "../history/site_history.ts";
import type { Window } from "../history/windows.ts";
import { percentile } from "./response_times.ts";
import { computeIntervals } from "./rolled_days.ts";
import type { Samples } from "./samples.ts";

/** One of the equal parts of a window. */
export interface Bucket {
  /** The worst state in it; `unknown` if no check covers any of it. */
  state: State;
  /** Median of its response times in milliseconds; that of the bucket before if it has no check of its own. */
  median?: number;
}

/** The worst first; a known state precedes an unknown one. */
const ORDER: readonly State[] = ["down", "degraded", "up", "maintenance", "unknown"];

export function computeBuckets(samples: Samples, window: Window, count: number): Bucket[] {
  const { checks } = samples;
  const { from, to } = window;
  const intervals = computeIntervals(samples, window);
  const length = (to - from) / count;
  let last = checks[findCheck(checks, from) - 1]?.ms;
  return Array.from({ length: count }, (_, index): Bucket => {
    const [start, end] = [from + index * length, from + (index + 1) * length];
    const states = intervals.filter((one) => one.from < end && one.to > start)
      .map(({ state }) => state);
    const state = ORDER.find((one) => states.includes(one)) ?? "unknown";
    const times = checks.slice(findCheck(checks, start), findCheck(checks, end))
      .flatMap(({ ms }) => ms ?? []);
    if (times.length > 0) last = percentile(Float64Array.from(times).sort(), 0.5);
    if (state !== "up" && state !== "degraded") last = undefined;
    return last === undefined ? { state } : { state, median: last };
  });
}
