import {
  isScheduledDay,
  scheduledMonths,
  type ScheduleTimes,
  scheduleTimes,
} from "./keys/schedule.ts";

/** How often a schedule comes round. */
export interface Cadence {
  /** Runs in a month of 30 days, the mean of a year. */
  runs: number;
  /** Shortest time between two runs in minutes. */
  shortest: number;
  /** In words, such as `every 5 minutes`. */
  words: string;
}

const DAY = 24 * 60;
/** A year without a leap day, to count the days of. */
const YEAR = 2027;

/**
 * How often a schedule of GitHub comes round.
 *
 * @throws {RangeError} Where the schedule is none.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals(cadence("*\/5 * * * *"), { runs: 8640, shortest: 5, words: "every 5 minutes" });
 * assertEquals(cadence("30 23 * * *").words, "daily at 23:30 UTC");
 * ```
 */
export function cadence(schedule: string): Cadence {
  const times = scheduleTimes(schedule);
  if (typeof times === "string") throw new RangeError(times);
  const minutes = times.hours.flatMap((hour) => times.minutes.map((minute) => hour * 60 + minute));
  const days = Array.from(
    { length: 365 },
    (_, day) => new Temporal.PlainDate(YEAR, 1, 1).add({ days: day }),
  ).filter((date) => isScheduledDay(date, times)).length;
  const runs = Math.round(minutes.length * days * 30 / 365);
  const gaps = minutes.map((minute, index) => (minutes[index + 1] ?? minutes[0]! + DAY) - minute);
  const shortest = Math.min(...gaps);
  const isSteady = days === 365 && gaps.every((gap) => gap === shortest);
  return {
    runs,
    shortest,
    words: isSteady ? steady(shortest, minutes[0]!) : count(runs, times),
  };
}

function count(runs: number, times: ScheduleTimes): string {
  if (runs === 0) return scheduledMonths(times).length === 0 ? "never" : "less than once a month";
  return runs === 1 ? "once a month" : `${runs} times a month`;
}

function steady(interval: number, first: number): string {
  const two = (number: number) => String(number).padStart(2, "0");
  if (interval === DAY) return `daily at ${two(Math.floor(first / 60))}:${two(first % 60)} UTC`;
  const [count, unit] = interval % 60 === 0 ? [interval / 60, "hour"] : [interval, "minute"];
  return count === 1 ? `every ${unit}` : `every ${count} ${unit}s`;
}
