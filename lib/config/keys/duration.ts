import * as v from "valibot";
import { expected } from "./values.ts";

const UNITS = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;
type Unit = keyof typeof UNITS;

const WRITTEN = /^\s*(\d+(?:\.\d+)?)\s*(ms|s|m|h|d)?\s*$/;

/** The lengths of time that a key takes, in milliseconds. */
export interface DurationRange {
  /** @default {0} */
  min?: number;
  max: number;
}

/**
 * A length of time in milliseconds: a plain number counts the unit given, `30s`, `15m`, `1h` and `2d`
 * name theirs.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import * as v from "valibot";
 * assertEquals(v.parse(duration("s", { max: 3_600_000 }), "1.5m"), 90_000);
 * ```
 */
export function duration(unit: Unit, { min = 0, max }: DurationRange) {
  const read = (input: number | string) =>
    typeof input === "number" ? input * UNITS[unit] : millisecondsIn(input, unit)!;
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
      v.config(
        v.pipe(v.string(message), v.regex(WRITTEN, message), v.check(inRange, message)),
        { abortPipeEarly: true },
      ),
    ], (issue) => message(issue)),
    v.transform(read),
  );
}

/** The milliseconds that a text such as `14d` or `1.5m` means; `undefined` where it is no length of time. */
export function millisecondsIn(text: string, unit: Unit): number | undefined {
  const [, amount, named] = WRITTEN.exec(text) ?? [];
  return amount === undefined ? undefined : Number(amount) * UNITS[(named ?? unit) as Unit];
}

/** In the largest unit of which it is a whole number. */
function written(milliseconds: number): string {
  if (milliseconds === 0) return "0";
  const [name, size] = Object.entries(UNITS).findLast(([, size]) => milliseconds % size === 0)!;
  return `${milliseconds / size} ${name}`;
}
