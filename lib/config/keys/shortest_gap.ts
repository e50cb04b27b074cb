import { DAY, MINUTE } from "../../time.ts";
import { isScheduledDay, type ScheduleTimes } from "./schedule.ts";

/** A leap year, and days enough to see every distance of a weekday from a day of the month. */
const FIRST = Date.UTC(2096, 0, 1);
const DAYS = 366 * 9;

/**
 * Milliseconds from one moment of a schedule to the next, where they are closest; without regard to clocks
 * that change. `Infinity` where it comes once in many years, `undefined` where it never comes.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { scheduleTimes, type ScheduleTimes } from "./schedule.ts";
 * const hours = (cron: string) => (shortestGap(scheduleTimes(cron) as ScheduleTimes) ?? NaN) / 3_600_000;
 * assertEquals(["0 3 * * *", "0 22 1 * *", "30 6,8 * * MON"].map(hours), [24, 28 * 24, 2]);
 * assertEquals(hours("0 0 30 2 *"), NaN);
 * ```
 */
export function shortestGap(times: ScheduleTimes): number | undefined {
  const { hours, minutes } = times;
  const inDay = hours.flatMap((hour) => minutes.map((minute) => (60 * hour + minute) * MINUTE));
  const [first, last] = [inDay[0]!, inDay.at(-1)!];
  const within = inDay.slice(1).map((moment, index) => moment - inDay[index]!);
  let shortest = Math.min(Infinity, ...within);
  let before: number | undefined;
  for (let number = 0; number < DAYS; number++) {
    // Many times faster than dates of the calendar, and done in every run.
    const date = new Date(FIRST + number * DAY);
    const [day, month, dayOfWeek] = [date.getUTCDate(), date.getUTCMonth() + 1, date.getUTCDay()];
    if (!isScheduledDay({ day, month, dayOfWeek }, times)) continue;
    if (before !== undefined) {
      shortest = Math.min(shortest, (number - before) * DAY - last + first);
    }
    before = number;
  }
  return before === undefined ? undefined : shortest;
}
