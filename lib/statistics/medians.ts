import { findCheck } from "../history/site_history.ts";
import { windowBack } from "../history/windows.ts";
import { HOUR } from "../time.ts";
import { percentile } from "./response_times.ts";
import type { Samples } from "./samples.ts";

/** Four values a day show how nights differ from days. */
const STEP = 6 * HOUR;

/**
 * The median response times of each six hours of the last 7 days, in milliseconds, the oldest first and 28 in all;
 * `undefined` where no check had one.
 */
export function computeWeekMedians({ checks, now }: Samples): (number | undefined)[] {
  const { from } = windowBack("week", now, now);
  const count = (now - from) / STEP;
  return Array.from({ length: count }, (_, index) => {
    const start = from + index * STEP;
    // The last part includes the check that was made right now.
    const end = index === count - 1 ? now + 1 : start + STEP;
    return computeMedian(checks.slice(findCheck(checks, start), findCheck(checks, end)));
  });
}

function computeMedian(checks: Samples["checks"]): number | undefined {
  const values = Float64Array.from(checks.flatMap(({ ms }) => ms ?? [])).sort();
  return values.length === 0 ? undefined : percentile(values, 0.5);
}
