import * as v from "valibot";
import { expected, text } from "./values.ts";

/** One field of a schedule: the numbers it takes, and the names some of them have. */
interface Field {
  name: string;
  from: number;
  to: number;
  names?: readonly string[];
}

const MONTHS = ["JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC"];
const DAYS = ["SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT"];

/** The grammar of schedules on GitHub: POSIX cron with names and steps, in UTC. */
const FIELDS: readonly Field[] = [
  { name: "a minute", from: 0, to: 59 },
  { name: "an hour", from: 0, to: 23 },
  { name: "a day of the month", from: 1, to: 31 },
  { name: "a month", from: 1, to: 12, names: MONTHS },
  { name: "a day of the week", from: 0, to: 6, names: DAYS },
];

/** A schedule of five fields, as GitHub takes it. */
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

/** Every number that each field of a schedule stands for. */
export interface ScheduleTimes {
  minutes: number[];
  hours: number[];
  daysOfMonth: number[];
  months: number[];
  /** From 0, a Sunday. */
  daysOfWeek: number[];
}

/**
 * The times a schedule stands for, or what GitHub would not accept of it.
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

/** Whether a schedule has a day; one of the month and one of the week, where both are named, are two ways to be meant. */
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
