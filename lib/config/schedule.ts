import * as v from "valibot";
import { expected, text } from "./values.ts";

/** One field of a schedule: the numbers it takes, and the names some of them have. */
interface Field {
  from: number;
  to: number;
  names?: readonly string[];
}

const MONTHS = ["JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC"];
const DAYS = ["SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT"];

/** The grammar of schedules on the platform: POSIX cron with names and steps, in UTC. */
const FIELDS: Readonly<Record<string, Field>> = {
  minute: { from: 0, to: 59 },
  hour: { from: 0, to: 23 },
  "day of the month": { from: 1, to: 31 },
  month: { from: 1, to: 12, names: MONTHS },
  "day of the week": { from: 0, to: 6, names: DAYS },
};

/** A schedule of five fields, as the platform takes it. */
export function schedule() {
  return v.pipe(
    text("a schedule of five fields"),
    v.transform((input) => input.trim().replace(/\s+/g, " ")),
    v.check((input) => scheduleProblem(input) === undefined, (issue) => {
      const problem = scheduleProblem(issue.input);
      return problem ?? expected("a schedule of five fields")(issue);
    }),
  );
}

/**
 * What the platform would not accept of a schedule.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals(scheduleProblem("*\/5 8-18 * * MON-FRI"), undefined);
 * assertEquals(scheduleProblem("0 24 * * *"), 'expected an hour from 0 to 23, found "24"');
 * ```
 */
export function scheduleProblem(input: string): string | undefined {
  const fields = input.split(/\s+/);
  const names = Object.keys(FIELDS);
  if (fields.length !== names.length) {
    return `expected five fields such as "*/5 * * * *", found ${JSON.stringify(input)}`;
  }
  for (const [index, name] of names.entries()) {
    const field = FIELDS[name]!;
    const wrong = fields[index]!.split(",").find((part) => !isPart(part, field));
    if (wrong === undefined) continue;
    const article = name === "hour" ? "an" : "a";
    return `expected ${article} ${name} from ${field.from} to ${field.to}, found ${
      JSON.stringify(wrong)
    }`;
  }
}

/** One of `*`, `5`, `1-5`, `MON-FRI`, each with a step such as `/2` after it. */
function isPart(part: string, field: Field): boolean {
  const [, range, step] = /^([^/]+)(?:\/(\d{1,2}))?$/.exec(part) ?? [];
  if (range === undefined || step !== undefined && Number(step) === 0) return false;
  if (range === "*") return true;
  const ends = range.split("-").map((end) => valueOf(end, field));
  return ends.length <= 2 && ends.every((end) => end !== undefined) && ends[0]! <= ends.at(-1)!;
}

function valueOf(end: string, { from, to, names = [] }: Field): number | undefined {
  const named = names.indexOf(end.toUpperCase());
  if (named !== -1) return from + named;
  const value = /^\d{1,2}$/.test(end) ? Number(end) : -1;
  return from <= value && value <= to ? value : undefined;
}
