import * as v from "valibot";
import { DAY, MINUTE } from "../time.ts";
import { expected, text } from "./keys/values.ts";

/** One field of a schedule: its range, and names for its numbers. */
interface Field {
  name: string;
  from: number;
  to: number;
  names?: readonly string[];
}

const MONTH_NAMES = [
  "JAN",
  "FEB",
  "MAR",
  "APR",
  "MAY",
  "JUN",
  "JUL",
  "AUG",
  "SEP",
  "OCT",
  "NOV",
  "DEC",
];
const DAY_NAMES = ["SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT"];

/** The grammar of schedules on GitHub: POSIX cron with names and steps, in UTC. */
const FIELDS: readonly Field[] = [
  { name: "a minute", from: 0, to: 59 },
  { name: "an hour", from: 0, to: 23 },
  { name: "a day of the month", from: 1, to: 31 },
  { name: "a month", from: 1, to: 12, names: MONTH_NAMES },
  { name: "a day of the week", from: 0, to: 6, names: DAY_NAMES },
];

/** A schedule of five fields, as GitHub accepts it. */
export function schedule() {
  return v.pipe(
    text("a schedule of five fields"),
    v.check(
      (input) => typeof scheduleTimes(input) !== "string",
      (issue) => {
        const times = scheduleTimes(String(issue.input));
        return typeof times === "string" ? times : expected("a schedule of five fields")(issue);
      },
    ),
    v.transform((input) => input.trim().replace(/\s+/g, " ")),
  );
}

/** The numbers of each field of a schedule. */
export interface ScheduleTimes {
  minutes: number[];
  hours: number[];
  daysOfMonth: number[];
  months: number[];
  /** From 0, a Sunday. */
  daysOfWeek: number[];
}

/**
 * Parses a schedule; returns a message if GitHub would not accept it.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals(scheduleTimes("0 24 * * *"), 'expected an hour from 0 to 23, found "24"');
 * ```
 */
export function scheduleTimes(input: string): ScheduleTimes | string {
  const fields = input.trim().split(/\s+/);
  if (fields.length !== FIELDS.length) {
    return `expected five fields such as "*/5 * * * *", found ${JSON.stringify(input)}`;
  }
  const values = FIELDS.map((): number[] => []);
  for (const [index, field] of FIELDS.entries()) {
    for (const part of fields[index]!.split(",")) {
      const numbers = numbersOf(part, field);
      if (numbers === undefined) {
        const { name, from, to } = field;
        return `expected ${name} from ${from} to ${to}, found ${JSON.stringify(part)}`;
      }
      values[index]!.push(...numbers);
    }
  }
  const sorted = values.map((numbers) => [...new Set(numbers)].sort((a, b) => a - b));
  const [minutes = [], hours = [], daysOfMonth = [], months = [], daysOfWeek = []] = sorted;
  return { minutes, hours, daysOfMonth, months, daysOfWeek };
}

/** True if a schedule has a day. If both a day of the month and one of the week are named, either counts. */
export function isScheduledDay(
  { day, month, dayOfWeek }: Pick<Temporal.PlainDate, "day" | "month" | "dayOfWeek">,
  { daysOfMonth, months, daysOfWeek }: ScheduleTimes,
): boolean {
  const inMonth = daysOfMonth.includes(day);
  const inWeek = daysOfWeek.includes(dayOfWeek % 7);
  const bothNamed = daysOfMonth.length < 31 && daysOfWeek.length < 7;
  return months.includes(month) && (bothNamed ? inMonth || inWeek : inMonth && inWeek);
}

/** Days of each month, in a leap year. */
const LENGTHS = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/**
 * The months, from 1, in which a schedule has a day.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const months = (cron: string) => scheduledMonths(scheduleTimes(cron) as ScheduleTimes);
 * assertEquals(["0 0 31 2 *", "0 0 29 2 *", "0 0 31 2 MON"].map(months), [[], [2], [2]]);
 * ```
 */
export function scheduledMonths({ daysOfMonth, months, daysOfWeek }: ScheduleTimes): number[] {
  const isByWeek = daysOfWeek.length < 7;
  return months.filter((month) =>
    isByWeek || daysOfMonth.some((day) => day <= LENGTHS[month - 1]!)
  );
}

/** The numbers of `*`, `5`, `1-5` or `MON-FRI`, each with a step such as `/2` after it. */
function numbersOf(part: string, field: Field): number[] | undefined {
  const [, range, step = "1"] = /^([^/]+)(?:\/(\d{1,2}))?$/.exec(part) ?? [];
  if (range === undefined || Number(step) === 0) return undefined;
  const ends = range === "*"
    ? [field.from, field.to]
    : range.split("-").flatMap((end) => numberOf(end, field) ?? NaN);
  const [first = NaN, last = first] = ends;
  if (ends.length > 2 || !(first <= last)) return undefined;
  // A step after a single number counts from there on.
  const end = part.includes("/") && !/[-*]/.test(range) ? field.to : last;
  const count = Math.floor((end - first) / Number(step)) + 1;
  return Array.from({ length: count }, (_, index) => first + index * Number(step));
}

function numberOf(end: string, { from, to, names = [] }: Field): number | undefined {
  const named = names.indexOf(end.toUpperCase());
  if (named !== -1) return from + named;
  const value = /^\d{1,2}$/.test(end) ? Number(end) : -1;
  return from <= value && value <= to ? value : undefined;
}

/** A leap year: with {@linkcode MANY_DAYS} every distance of a weekday from a day of the month occurs. */
const LEAP_YEAR = Date.UTC(2096, 0, 1);
const MANY_DAYS = 366 * 9;
/** A year without a leap day. */
const COMMON_YEAR = Date.UTC(2027, 0, 1);

/** Numbers of the days from a start on, up to a count, that a schedule has. */
function scheduledDays(times: ScheduleTimes, start: number, count: number): number[] {
  return Array.from({ length: count }, (_, number) => number).filter((number) => {
    // Many times faster than calendar dates.
    const date = new Date(start + number * DAY);
    const [day, month, dayOfWeek] = [date.getUTCDate(), date.getUTCMonth() + 1, date.getUTCDay()];
    return isScheduledDay({ day, month, dayOfWeek }, times);
  });
}

/** The times of a day that a schedule has, in minutes. */
function minutesOfDay({ hours, minutes }: ScheduleTimes): number[] {
  return hours.flatMap((hour) => minutes.map((minute) => 60 * hour + minute));
}

/**
 * The shortest time between two starts of a schedule in milliseconds, without regard to clock changes;
 * `Infinity` if it starts once in many years, `undefined` if it never starts.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const hours = (cron: string) => (shortestGap(scheduleTimes(cron) as ScheduleTimes) ?? NaN) / 3_600_000;
 * assertEquals(["0 3 * * *", "0 22 1 * *", "30 6,8 * * MON"].map(hours), [24, 28 * 24, 2]);
 * assertEquals(hours("0 0 30 2 *"), NaN);
 * ```
 */
export function shortestGap(times: ScheduleTimes): number | undefined {
  const days = scheduledDays(times, LEAP_YEAR, MANY_DAYS);
  if (days.length === 0) return undefined;
  const minutes = minutesOfDay(times);
  const within = minutes.slice(1).map((minute, index) => minute - minutes[index]!);
  const daysBetween = days.slice(1).reduce(
    (least, day, index) => Math.min(least, day - days[index]!),
    Infinity,
  );
  const between = daysBetween * DAY / MINUTE - minutes.at(-1)! + minutes[0]!;
  return Math.min(between, ...within) * MINUTE;
}

/** Rhythm of a schedule. */
interface Cadence {
  /** Runs in a month of 30 days, the mean of a year. */
  runs: number;
  /** Shortest time between two runs in minutes. */
  shortest: number;
  /** In words, such as `every 5 minutes`. */
  words: string;
}

/**
 * Computes the rhythm of a schedule.
 *
 * @throws {RangeError} If it is no schedule.
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
  const minutes = minutesOfDay(times);
  const days = scheduledDays(times, COMMON_YEAR, 365).length;
  const runs = Math.round(minutes.length * days * 30 / 365);
  const gaps = minutes.map((minute, index) =>
    (minutes[index + 1] ?? minutes[0]! + DAY / MINUTE) - minute
  );
  const shortest = Math.min(...gaps);
  const isSteady = days === 365 && gaps.every((gap) => gap === shortest);
  return {
    runs,
    shortest,
    words: isSteady ? describeInterval(shortest, minutes[0]!) : describeRuns(runs, times),
  };
}

function describeRuns(runs: number, times: ScheduleTimes): string {
  if (runs === 0) return scheduledMonths(times).length === 0 ? "never" : "less than once a month";
  return runs === 1 ? "once a month" : `${runs} times a month`;
}

function describeInterval(interval: number, first: number): string {
  const two = (number: number) => String(number).padStart(2, "0");
  if (interval === DAY / MINUTE) {
    return `daily at ${two(Math.floor(first / 60))}:${two(first % 60)} UTC`;
  }
  const [count, unit] = interval % 60 === 0 ? [interval / 60, "hour"] : [interval, "minute"];
  return count === 1 ? `every ${unit}` : `every ${count} ${unit}s`;
}
