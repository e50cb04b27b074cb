import type { Histogram } from "../history/histogram.ts";
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
  return ascending[rankOf(share, ascending.length) - 1]!;
}

/** The nearest rank of a share, from 0 to 1, of so many ascending values: 1 is that of the first. */
export function rankOf(share: number, count: number): number {
  // 0.95 * 20 is a little more than 19.
  return Math.max(1, Math.ceil(share * count - 1e-9));
}

/** How many of ascending values are at most a limit. */
export function countUpTo(ascending: Float64Array, limit: number): number {
  let low = 0;
  let high = ascending.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (ascending[middle]! <= limit) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Response times of which every single one is known, in milliseconds, ascending. */
export function ofAscending(values: Float64Array): ResponseTimes | undefined {
  if (values.length === 0) return undefined;
  let sum = 0;
  for (let index = 0; index < values.length; index++) sum += values[index]!;
  return {
    count: values.length,
    mean: sum / values.length,
    min: values[0]!,
    max: values.at(-1)!,
    p50: percentile(values, 0.5),
    p95: percentile(values, 0.95),
    p99: percentile(values, 0.99),
  };
}

/** Sums of response times, in milliseconds, of which some are known by a histogram only. */
export interface Sums {
  count: number;
  sum: number;
  min: number;
  max: number;
  histogram: Histogram;
}

/** Response times that are known by their sums; percentiles are right to 5 %. */
export function ofSums({ count, sum, min, max, histogram }: Sums): ResponseTimes | undefined {
  if (count === 0) return undefined;
  const quantile = (share: number) =>
    Math.min(max, Math.max(min, histogram.quantile(share) ?? sum / count));
  return {
    count: Math.max(1, Math.round(count)),
    mean: sum / count,
    min,
    max,
    p50: quantile(0.5),
    p95: quantile(0.95),
    p99: quantile(0.99),
  };
}
