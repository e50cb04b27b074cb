import { type State, STATES } from "../state.ts";
import type { Checks } from "./site_history.ts";
import type { Span } from "./span.ts";
import type { Window } from "./windows.ts";

/** How a site was in one of the equal pieces of a window. */
export interface Pulse {
  /** The worst of it; `unknown` where no check speaks for any of it. */
  state: State;
  /** Median of its response times in milliseconds; where it has no check of its own, that of the piece before. */
  median?: number;
}

/** The worst first; what is known comes before what is not. */
const ORDER: readonly State[] = ["down", "degraded", "up", "maintenance", "unknown"];

/**
 * How a site was in each of `count` equal pieces of a window, given its checks and its timeline.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const checks = {
 *   length: 2,
 *   times: Float64Array.of(10, 20),
 *   states: Uint8Array.of(0, 0),
 *   durations: Float64Array.of(80, 120),
 *   imported: new Uint8Array(2),
 * };
 * const spans = [{ from: 10, to: 60, state: "up" }, { from: 60, to: 61, state: "down" }] as const;
 * assertEquals(pulsesOf(checks, spans, { from: 0, to: 120 }, 4), [
 *   { state: "up", median: 80 },
 *   { state: "up", median: 80 },
 *   { state: "down" },
 *   { state: "unknown" },
 * ]);
 * ```
 */
export function pulsesOf(
  checks: Checks,
  spans: readonly Span[],
  { from, to }: Window,
  count: number,
): Pulse[] {
  const near = spans.filter((span) => span.from < to && span.to > from);
  const length = (to - from) / count;
  let at = firstFrom(checks.times, from);
  let last = at > 0 ? successfulTime(checks, at - 1) : undefined;
  return Array.from({ length: count }, (_, index): Pulse => {
    const [begin, end] = [from + index * length, from + (index + 1) * length];
    const states = near.flatMap(({ from, to, state }) => from < end && to > begin ? [state] : []);
    const state = ORDER.find((one) => states.includes(one)) ?? "unknown";
    const times: number[] = [];
    for (; at < checks.length && checks.times[at]! < end; at++) {
      times.push(...[successfulTime(checks, at) ?? []].flat());
    }
    last = times.length > 0 ? medianOf(times) : last;
    if (state !== "up" && state !== "degraded") {
      last = undefined;
      return { state };
    }
    return last === undefined ? { state } : { state, median: last };
  });
}

/** The response time of a check; `undefined` of one that failed, or has none. */
function successfulTime({ states, durations }: Checks, index: number): number | undefined {
  const state = STATES[states[index]!];
  const duration = durations[index]!;
  return (state === "up" || state === "degraded") && !Number.isNaN(duration) ? duration : undefined;
}

/** By the nearest rank. */
function medianOf(values: number[]): number {
  return values.sort((one, other) => one - other)[Math.ceil(values.length / 2) - 1]!;
}

/** Index of the first of ascending times that is not before a moment. */
function firstFrom(times: Float64Array, moment: number): number {
  let [low, high] = [0, times.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (times[middle]! < moment) low = middle + 1;
    else high = middle;
  }
  return low;
}
