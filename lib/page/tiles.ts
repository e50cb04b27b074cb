import { windowBack, type WindowName, WINDOWS } from "../history/windows.ts";
import { computeUptime } from "../statistics/measure.ts";
import { computeStateTimes } from "../statistics/rolled_days.ts";
import type { Samples } from "../statistics/samples.ts";
import { type Objective, toPercent } from "../statistics/statistics.ts";

/**
 * Compares the uptime of a window with that of the time of equal length before it: percentage points with two decimals,
 * as the two are shown. `undefined` if the site was not monitored through all of that time, or nothing was observed.
 */
export function computeUptimeChange(samples: Samples, name: WindowName): number | undefined {
  const { length } = WINDOWS[name];
  const { now, first } = samples;
  if (length === undefined || first === undefined) return undefined;
  const window = windowBack(name, now, first);
  const before = { from: window.from - length, to: window.from };
  if (first > before.from) return undefined;
  const [earlier, current] = [before, window].map((one) =>
    computeUptime(computeStateTimes(samples, one))
  );
  if (earlier === undefined || current === undefined) return undefined;
  return Math.round(100 * (toPercent(current) - toPercent(earlier))) / 100;
}

/**
 * The spent share of an error budget, from 0 to 1; `undefined` if there is none.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const spent = (budget?: number, left?: number) => computeSpentShare({ target: 0.999, budget, left });
 * assertEquals([spent(60, 45), spent(60, -20), spent(0, 0), spent()], [0.25, 1, undefined, undefined]);
 * ```
 */
export function computeSpentShare({ budget = 0, left = 0 }: Objective): number | undefined {
  return budget === 0 ? undefined : Math.min(1, (budget - left) / budget);
}
