import * as v from "valibot";
import { DAY, describeInterval, MINUTE } from "../time.ts";
import { expected, text } from "./keys/values.ts";

interface Field {
  name: string;
  from: number;
  to: number;
  names?: readonly string[];
}

const MONTH_NAMES = "JAN FEB MAR APR MAY JUN JUL AUG SEP OCT NOV DEC".split(" ");
const DAY_NAMES = "SUN MON TUE WED THU FRI SAT".split(" ");

/** The grammar of schedules on GitHub: POSIX cron with names and steps, in UTC. */
const FIELDS: readonly Field[] = [
  { name: "a minute", from: 0, to: 59 },
  { name: "an hour", from: 0, to: 23 },
  { name: "a day of the month", from: 1, to: 31 },
  { name: "a month", from: 1, to: 12, names: MONTH_NAMES },
  { name: "a day of the week", from: 0, to: 6, names: DAY_NAMES },
];

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

export interface ScheduleTimes {
  minutes: number[];
  hours: number[];
  daysOfMonth: number[];
  months: number[];
  /** From 0, a Sunday. */
  daysOfWeek: number[];
}

/** Parses a schedule; returns a message if GitHub would not accept it. */
export function scheduleTimes(input: string): ScheduleTimes | string {
  const fields = input.trim().split(/\s+/);
  if (fields.length !== FIELDS.length) {
    return `expected five fields such as "*/5 * * * *", found ${JSON.stringify(input)}`;
  }
  const values = FIELDS.map((): number[] => []);
  for (const [index, field] of FIELDS.entries()) {
    for (const part of fields[index]!.split(",")) {
      const numbers = parseNumbers(part, field);
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

/** The numbers of `*`, `5`, `1-5` or `MON-FRI`, each with a step such as `/2` after it. */
function parseNumbers(part: string, field: Field): number[] | undefined {
  const [, range, step = "1"] = /^([^/]+)(?:\/(\d{1,2}))?$/.exec(part) ?? [];
  if (range === undefined || Number(step) === 0) return undefined;
  const ends = range === "*"
    ? [field.from, field.to]
    : range.split("-").flatMap((end) => parseNumber(end, field) ?? NaN);
  const [first = NaN, last = first] = ends;
  if (ends.length > 2 || !(first <= last)) return undefined;
  // A step after a single number counts from there on.
  const end = part.includes("/") && !/[-*]/.test(range) ? field.to : last;
  const count = Math.floor((end - first) / Number(step)) + 1;
  return Array.from({ length: count }, (_, index) => first + index * Number(step));
}

function parseNumber(end: string, { from, to, names = [] }: Field): number | undefined {
  const named = names.indexOf(end.toUpperCase());
  if (named !== -1) return from + named;
  const value = /^\d{1,2}$/.test(end) ? Number(end) : -1;
  return from <= value && value <= to ? value : undefined;
}

/** Nine years from a leap year on, in which every distance between a weekday and a day of the month occurs. */
const FIRST_DAY = Date.UTC(2096, 0, 1);
const DAYS = 366 * 9;

function scheduledDays(times: ScheduleTimes): number[] {
  const all = Array.from({ length: DAYS }, (_, number) => number);
  const { daysOfMonth, months, daysOfWeek } = times;
  // Almost all schedules are daily, and filtering all days would take longer than the rest of the configuration.
  const isDaily = daysOfMonth.length === 31 && months.length === 12 && daysOfWeek.length === 7;
  return isDaily ? all : all.filter((number) => {
    // Many times faster than calendar dates.
    const date = new Date(FIRST_DAY + number * DAY);
    const [day, month, dayOfWeek] = [date.getUTCDate(), date.getUTCMonth() + 1, date.getUTCDay()];
    return isScheduledDay({ day, month, dayOfWeek }, times);
  });
}

/** The smallest difference between neighbours in an ascending list. */
function leastGap(numbers: readonly number[]): number {
  return numbers.slice(1)
    .reduce((least, number, index) => Math.min(least, number - numbers[index]!), Infinity);
}

function minutesOfDay({ hours, minutes }: ScheduleTimes): number[] {
  return hours.flatMap((hour) => minutes.map((minute) => 60 * hour + minute));
}

/** Shortest time between two starts, in milliseconds, ignoring clock changes; `Infinity` if it never starts. */
export function shortestGap(times: ScheduleTimes): number {
  const days = scheduledDays(times);
  if (days.length === 0) return Infinity;
  const minutes = minutesOfDay(times);
  const overnight = leastGap(days) * DAY / MINUTE - minutes.at(-1)! + minutes[0]!;
  return Math.min(leastGap(minutes), overnight) * MINUTE;
}

interface Cadence {
  /** Runs in 30 days, the mean of several years. */
  runs: number;
  /** Shortest time between two runs in minutes, at most that of a day. */
  shortest: number;
  /** In words, such as `every 5 minutes`. */
  words: string;
}

/** Rhythms by schedule, kept because `watch` needs them in each run and each takes some milliseconds to compute. */
const CADENCES = new Map<string, Cadence>();

/**
 * Computes the rhythm of a schedule.
 *
 * @throws {RangeError} If it is no schedule.
 */
export function cadence(schedule: string): Cadence {
  return CADENCES.getOrInsertComputed(schedule, computeCadence);
}

function computeCadence(schedule: string): Cadence {
  const times = scheduleTimes(schedule);
  if (typeof times === "string") throw new RangeError(times);
  const minutes = minutesOfDay(times);
  const gap = shortestGap(times);
  const shortest = Math.min(gap, DAY) / MINUTE;
  const days = scheduledDays(times).length;
  const runs = Math.round(minutes.length * days * 30 / DAYS);
  const isSteady = days === DAYS && minutes.length * shortest === DAY / MINUTE;
  const words = isSteady
    ? describeSteady(shortest, minutes[0]!)
    : gap === Infinity
    ? "never"
    : runs === 0
    ? "less than once a month"
    : runs === 1
    ? "once a month"
    : `${runs} times a month`;
  return { runs, shortest, words };
}

function describeSteady(interval: number, first: number): string {
  if (interval === DAY / MINUTE) {
    const [hour, minute] = [Math.floor(first / 60), first % 60].map((one) =>
      String(one).padStart(2, "0")
    );
    return `daily at ${hour}:${minute} UTC`;
  }
  return describeInterval(interval * MINUTE);
}
