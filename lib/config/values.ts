import * as v from "valibot";
import { shorten } from "../plain_text.ts";

/** What stands in a configuration, as an error quotes it. */
export function found(value: unknown): string {
  if (value === undefined || value === null) return "nothing";
  if (Array.isArray(value)) return "a list";
  if (typeof value === "object") return "a map";
  return shorten(JSON.stringify(value), 60);
}

/** The message of an issue: what was expected, and what was found. */
export function expected(what: string): (issue: v.BaseIssue<unknown>) => string {
  return (issue) => `expected ${what}, found ${found(issue.input)}`;
}

/** A text that isn't empty. */
export function text(what = "a text") {
  return v.pipe(v.string(expected(what)), v.nonEmpty(expected(what)));
}

/** `true` or `false`. */
export function flag() {
  return v.boolean(expected("true or false"));
}

/** A number from `min` to `max`. */
export function number(min: number, max: number) {
  const message = expected(`a number from ${min} to ${max}`);
  return v.pipe(v.number(message), v.minValue(min, message), v.maxValue(max, message));
}

/** A whole number from `min` to `max`. */
export function integer(min: number, max: number) {
  const message = expected(`a whole number from ${min} to ${max}`);
  return v.pipe(
    v.number(message),
    v.integer(message),
    v.minValue(min, message),
    v.maxValue(max, message),
  );
}

/** A list of at least nothing, of one kind. */
export function list<T extends v.GenericSchema>(item: T, what = "a list") {
  return v.array(item, expected(what));
}

/** A map with the keys given; others are reported elsewhere. */
export function map<T extends v.ObjectEntries>(entries: T, what = "a map") {
  return v.object(entries, expected(what));
}

/** One of the words given. */
export function word<const T extends readonly string[]>(words: T) {
  return v.picklist(words, expected(`one of ${words.join(", ")}`));
}

/** A map of texts to texts. */
export function texts() {
  return v.record(v.string(), v.string(expected("a text")), expected("a map of texts"));
}

const UNITS = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** A length of time in milliseconds: a plain number counts the unit given, `30s`, `15m`, `1h`, `2d` name theirs. */
export function duration(unit: keyof typeof UNITS, max = Number.MAX_SAFE_INTEGER) {
  const message = expected(`a length of time in ${UNIT_NAMES[unit]} or such as 30s, 15m or 1h`);
  return v.pipe(
    v.union([v.number(), v.string()], message),
    v.rawTransform(({ dataset, addIssue, NEVER }) => {
      const input = dataset.value;
      const match = /^(\d+(?:\.\d+)?)\s*(ms|s|m|h|d)?$/.exec(String(input).trim());
      const suffix = match?.[2] as keyof typeof UNITS | undefined;
      const value = match === null ? NaN : Number(match[1]) * UNITS[suffix ?? unit];
      if (value <= max) return value;
      addIssue({ message: message({ input } as v.BaseIssue<unknown>) });
      return NEVER;
    }),
  );
}

const UNIT_NAMES = {
  ms: "milliseconds",
  s: "seconds",
  m: "minutes",
  h: "hours",
  d: "days",
} as const;

/** Keys that a later version uses: any value, without effect. */
export function later(keys: readonly string[]): Record<string, v.GenericSchema> {
  return Object.fromEntries(keys.map((key) => [key, v.optional(v.unknown())]));
}

/** What is wrong with a key: the keys that lead to it, and what was expected and found. */
export interface KeyProblem {
  path: (string | number)[];
  message: string;
}

/** An issue of the validation, in our words. */
export function keyProblem(issue: v.BaseIssue<unknown>): KeyProblem {
  const path = (issue.path ?? []).map(({ key }) => typeof key === "number" ? key : String(key));
  const missing = issue.path !== undefined && issue.received === "undefined";
  return { path, message: missing ? "is missing" : issue.message };
}
