import type { Histogram } from "../history/histogram.ts";
import { type Check, TIMING_NAMES } from "../history/site_history.ts";
import type { Window } from "../history/windows.ts";
import type { ResponseTimes } from "./statistics.ts";

/**
 * The value that a share (from 0 to 1) of ascending values does not exceed, by nearest rank: one of the
 * values itself.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const values = Float64Array.of(15, 20, 35, 40, 50);
 * assertEquals([0.3, 0.5, 0.95].map((share) => percentile(values, share)), [20, 35, 50]);
 * ```
 */
export function percentile(ascending: Float64Array, share: number): number {
  // 0.95 * 20 is a little more than 19.
  return ascending[Math.max(1, Math.ceil(share * ascending.length - 1e-9)) - 1]!;
}

export function computeResponseTimes(values: readonly number[]): ResponseTimes | undefined {
  if (values.length === 0) return undefined;
  const ascending = new Float64Array(values).sort();
  return {
    count: values.length,
    mean: ascending.reduce((sum, value) => sum + value, 0) / values.length,
    min: ascending[0]!,
    max: ascending.at(-1)!,
    p50: percentile(ascending, 0.5),
    p95: percentile(ascending, 0.95),
    p99: percentile(ascending, 0.99),
  };
}

/** Computes response times from their sums and their histogram; percentiles are accurate to 5 %. */
export function computeFromSums(
  { count, sum, min, max }: { count: number; sum: number; min: number; max: number },
  histogram: Histogram,
): ResponseTimes | undefined {
  if (count === 0) return undefined;
  const quantile = (share: number) =>
    Math.min(max, Math.max(min, histogram.quantile(share) ?? sum / count));
  return {
    count,
    mean: sum / count,
    min,
    max,
    p50: quantile(0.5),
    p95: quantile(0.95),
    p99: quantile(0.99),
  };
}

/** Mean timings of checks, in milliseconds. */
export type MeanTimings = Record<typeof TIMING_NAMES[number], number> & {
  checks: number;
};

/**
 * Computes the mean timings of a window; `undefined` if none are known. Logs contain the timings of the first
 * check of each hour, and of those that were slow or failed.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const check = (time: number, ...timings: number[]) => ({ time, state: "up" as const, isImported: false, timings });
 * const checks = [check(10, 1, 2, 3, 4, 5), check(20, 3, 2, 1, 0, 9), check(30, 7, 7, 7, 7, 7)];
 * const means = { checks: 2, dns: 2, connect: 2, tls: 2, ttfb: 2, download: 7 };
 * assertEquals(meanTimings(checks, { from: 10, to: 30 }), means);
 * assertEquals(meanTimings(checks, { from: 11, to: 20 }), undefined);
 * ```
 */
export function meanTimings(
  checks: readonly Check[],
  { from, to }: Window,
): MeanTimings | undefined {
  const all = checks.flatMap(({ time, timings }) =>
    timings !== undefined && time >= from && time < to ? [timings] : []
  );
  if (all.length === 0) return undefined;
  const mean = (index: number) =>
    all.reduce((sum, timings) => sum + timings[index]!, 0) / all.length;
  const means = TIMING_NAMES.map((name, index) => [name, mean(index)]);
  return { ...Object.fromEntries(means), checks: all.length };
}
