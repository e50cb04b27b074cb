import * as v from "valibot";
import { expected, parsed } from "./values.ts";

const UNITS = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;
type Unit = keyof typeof UNITS;

const WRITTEN = /^\s*(\d+(?:\.\d+)?)\s*(ms|s|m|h|d)?\s*$/;

/**
 * A duration in milliseconds: a plain number is in the given unit, `30s`, `15m`, `1h` and `2d` in theirs.
 */
export function duration(unit: Unit, { min = 0, max }: { min?: number; max: number }) {
  const read = (input: number | string) =>
    typeof input === "number" ? input * UNITS[unit] : parseDuration(input, unit)!;
  const inRange = (input: string) => min <= read(input) && read(input) <= max;
  const examples = min <= 30_000 ? "30s or 15m" : "90m or 4h";
  const message = expected(
    `a length of time from ${written(min)} to ${written(max)}, such as ${examples}`,
  );
  return v.pipe(
    v.union([
      v.pipe(
        v.number(message),
        v.minValue(min / UNITS[unit], message),
        v.maxValue(max / UNITS[unit], message),
      ),
      v.pipe(v.string(message), v.regex(WRITTEN, message), v.check(inRange, message)),
    ], message),
    v.transform(read),
  );
}

/** The milliseconds of a text such as `14d` or `1.5m`; `undefined` if it is no duration. */
export function parseDuration(text: string, unit: Unit): number | undefined {
  const [, amount, named] = WRITTEN.exec(text) ?? [];
  return amount === undefined ? undefined : Number(amount) * UNITS[(named ?? unit) as Unit];
}

/** In the largest unit of which it is a whole number. */
function written(milliseconds: number): string {
  if (milliseconds === 0) return "0";
  const [name, size] = Object.entries(UNITS).findLast(([, size]) => milliseconds % size === 0)!;
  return `${milliseconds / size} ${name}`;
}

const MOMENT =
  /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::[0-5]\d(?:\.\d{1,9})?)?))? ?(Z|UTC|[+-]\d\d:?\d\d)?$/i;

/**
 * Parses a date with or without a time; `undefined` if it is none. Without `Z`, `UTC` or an offset it is in
 * the time zone: a time that DST skips is that much later, and of one that occurs twice the first counts, as
 * in calendars (RFC 5545, section 3.3.5).
 */
export function parseMoment(text: string, timeZone: string): Temporal.Instant | undefined {
  const [, day, time = "00:00", offset] = MOMENT.exec(text.trim()) ?? [];
  if (day === undefined) return undefined;
  try {
    const moment = offset === undefined
      ? Temporal.PlainDateTime.from(`${day}T${time}`, { overflow: "reject" })
        .toZonedDateTime(timeZone).toInstant()
      : Temporal.Instant.from(`${day}T${time}${/^[zu]/i.test(offset) ? "Z" : offset}`);
    // Files store no more digits, and a window is identified by its start.
    return moment.round({ smallestUnit: "millisecond", roundingMode: "floor" });
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

export function timezone() {
  return parsed("a time zone such as Europe/Berlin", (name) => {
    try {
      new Intl.DateTimeFormat("en", { timeZone: name });
      return name;
    } catch {
      return undefined;
    }
  });
}
