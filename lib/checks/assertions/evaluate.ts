import {
  type Condition,
  EVERY,
  parseNumber,
  type Path,
  type Range,
  type Subject,
  type Word,
} from "../../config/checks/assertions/parse.ts";
import { isMap } from "../../config/document.ts";
import { describeLargestUnit } from "../../time.ts";
import type { Matcher } from "./patterns.ts";

export interface Answer {
  status: number;
  /** Whole milliseconds. */
  responseTime: number;
  /** Names in lower case. */
  headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Empty if no assertion needs it. */
  body: string;
  /** True if only the start of the body was read. */
  isCut: boolean;
  /** Milliseconds until the certificate expires, negative once it has; absent without TLS. */
  certificate?: number;
  /** True if a public address redirected to a private one: nothing of the answer may be published. */
  isInternal?: boolean;
}

export interface Finding {
  holds: boolean;
  /** The deciding value as text, or the reason why there is none. */
  found(): string;
}

export interface Tools {
  /** A text as it may be shown, cut around `place` if that occurs in it. */
  show(text: string, place?: string): string;
  match: Matcher;
  /** True to show texts of a body; else their types and lengths are described. @default false */
  quotes?: boolean;
}

interface Value {
  value: unknown;
  path?: string;
}

/**
 * Evaluates an assertion. If its path selects several values, it must hold for each of them; if it selects
 * none, only `not exists` holds.
 *
 * @throws {PatternError} If a pattern can't be matched.
 */
export function evaluate(
  { subject, not, test }: Condition,
  answer: Answer,
  tools: Tools,
): Finding {
  const selected = selectValues(subject, answer, tools.quotes === true);
  if ("missing" in selected) {
    const holds = test.operator === "exists" && not && selected.isAbsent === true;
    return { holds, found: () => selected.missing };
  }
  const outcomeOf = (value: Value) => {
    const { holds, near, instead } = meets(value.value, subject, test, tools.match);
    return { value, holds: instead === undefined && holds !== not, near, instead };
  };
  const { value, holds, near, instead } =
    selected.values.values().map(outcomeOf).find(({ holds }) => !holds) ??
      outcomeOf(selected.values[0]!);
  const found = () => {
    // The ellipsis tells the redaction that a secret may be cut there.
    const isCut = subject.of === "body" && answer.isCut;
    const show = (text: string) => tools.show(isCut ? `${text}…` : text, near);
    const isShown = tools.quotes || !["body", "json"].includes(subject.of) ||
      isNumber(value.value, test);
    const words = isShown ? describe(value, subject, show) : describeKind(value, answer, show);
    return instead === undefined ? words : `${words}, ${instead}`;
  };
  return { holds, found };
}

/** Selects the values of a subject, or says why there is none. Repeated headers are one, joined by commas. */
function selectValues(
  subject: Subject,
  answer: Answer,
  showsNames = true,
): { values: Value[] } | { missing: string; isAbsent?: boolean } {
  switch (subject.of) {
    case "header": {
      const header = Object.hasOwn(answer.headers, subject.name)
        ? answer.headers[subject.name]
        : undefined;
      return header === undefined
        ? { missing: "the header is missing", isAbsent: true }
        : { values: [{ value: [header].flat().join(", ") }] };
    }
    case "certificate":
      return answer.certificate === undefined
        ? { missing: "no certificate was presented" }
        : { values: [{ value: answer.certificate }] };
    case "json": {
      const json = PARSED.getOrInsertComputed(answer, parseJson);
      if ("missing" in json) return json;
      const values = findValues(json.value, subject.path, showsNames);
      if (values.length === 0) return { missing: "the value is missing", isAbsent: true };
      return {
        values: subject.path.includes(EVERY) ? values : values.map(({ value }) => ({ value })),
      };
    }
    default:
      return { values: [{ value: answer[subject.of] }] };
  }
}

/** The value of a subject as a text, or the reason why there is none. */
export function findSubjectValue(
  subject: Subject,
  answer: Answer,
): { text: string } | { missing: string } {
  const selected = selectValues(subject, answer);
  if ("missing" in selected) return selected;
  const { value } = selected.values[0]!;
  return value === null ? { missing: "the value is null" } : { text: toText(value) };
}

type Json = { value: unknown } | { missing: string };

/** Cache: answers are large, and assertions many. */
const PARSED = new WeakMap<Answer, Json>();

function parseJson({ body, isCut }: Answer): Json {
  try {
    return { value: JSON.parse(body) };
  } catch {
    if (body.trim() === "") return { missing: "the body is empty" };
    return {
      missing: isCut ? "the body is longer than the 1 MiB that is read" : "the body is not JSON",
    };
  }
}

/**
 * The values that a path selects, with their own paths. Without `showsNames`, these repeat no name that only the
 * JSON knows.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { EVERY } from "../../config/checks/assertions/parse.ts";
 * const json = { checks: [{ ok: true }, { ok: false }, {}] };
 * assertEquals(findValues(json, ["checks", EVERY, "ok"]), [
 *   { value: true, path: "$.checks[0].ok" },
 *   { value: false, path: "$.checks[1].ok" },
 * ]);
 * ```
 */
export function findValues(json: unknown, path: Path, showsNames = true): Required<Value>[] {
  return path.reduce<Required<Value>[]>(
    (values, step) => values.flatMap((value) => within(value, step, showsNames)),
    [{ value: json, path: "$" }],
  );
}

function within(
  { value, path }: Required<Value>,
  step: Path[number],
  showsNames: boolean,
): Required<Value>[] {
  if (Array.isArray(value)) {
    const place = (index: number) => ({ value: value[index], path: `${path}[${index}]` });
    if (step === EVERY) return value.map((_, index) => place(index));
    const index = typeof step === "number" && step < 0 ? value.length + step : step;
    return typeof index === "number" && index >= 0 && index < value.length ? [place(index)] : [];
  }
  if (!isMap(value)) return [];
  const names = step === EVERY ? Object.keys(value) : [String(step)];
  return names.filter((name) => Object.hasOwn(value, name)).map((name) => ({
    value: value[name],
    path: step === EVERY && !showsNames
      ? `${path}.*`
      : /^[\p{L}\p{N}_$-]+$/u.test(name)
      ? `${path}.${name}`
      : `${path}[${JSON.stringify(name)}]`,
  }));
}

interface Outcome {
  holds: boolean;
  near?: string;
  instead?: string;
}

function meets(
  value: unknown,
  { of }: Subject,
  test: Condition["test"],
  match: Matcher,
): Outcome {
  const whole = of === "body" ? String(value).trim() : value;
  switch (test.operator) {
    case "exists":
      return { holds: true };
    case "==":
      return { holds: equals(whole, test.word) };
    case "!=":
      return { holds: !equals(whole, test.word) };
    case "in":
      return {
        holds: test.among.some((one) => "text" in one ? equals(whole, one) : isWithin(whole, one)),
      };
    case "contains":
      return Array.isArray(value)
        ? { holds: value.some((item) => equals(item, test.word)) }
        : { holds: toText(value).includes(test.word.text), near: test.word.text };
    case "matches": {
      const near = match(test.source, test.flags, toText(value));
      return { holds: near !== undefined, near };
    }
    default: {
      const number = toNumber(value);
      if (number === undefined) return { holds: false, instead: "which is not a number" };
      return { holds: compare(number, test.operator, test.limit) };
    }
  }
}

function compare(number: number, operator: "<" | "<=" | ">" | ">=", limit: number): boolean {
  if (operator === "<") return number < limit;
  if (operator === "<=") return number <= limit;
  return operator === ">" ? number > limit : number >= limit;
}

function equals(value: unknown, { text, quoted, number }: Word): boolean {
  if (typeof value === "string") {
    return value === text || (number !== undefined && parseNumber(value) === number);
  }
  if (quoted || (typeof value === "object" && value !== null)) return false;
  return typeof value === "number" ? value === number : String(value) === text;
}

function isWithin(value: unknown, { from, to }: Range): boolean {
  const number = toNumber(value);
  return number !== undefined && from <= number && number <= to;
}

function toNumber(value: unknown): number | undefined {
  if (typeof value === "number") return value;
  return typeof value === "string" ? parseNumber(value) : undefined;
}

function toText(value: unknown): string {
  if (typeof value === "string") return value;
  try {
    return JSON.stringify(value);
  } catch (error) {
    // Nested too deeply.
    if (!(error instanceof RangeError)) throw error;
    return "[…]";
  }
}

function describe(
  { value, path }: Value,
  { of }: Subject,
  show: (text: string) => string,
): string {
  const place = path === undefined ? "" : ` at ${show(path)}`;
  if (of === "certificate" && typeof value === "number") return expiry(value);
  if (of === "responseTime") return `found ${value} ms`;
  if (typeof value !== "string") return `found ${show(toText(value))}${place}`;
  if (value.trim() === "") return `found ${of === "body" ? "an empty body" : `""${place}`}`;
  return `found "${show(value)}"${place}`;
}

/** True for a number, and for a text that is compared as one. */
function isNumber(value: unknown, test: Condition["test"]): boolean {
  if (typeof value === "number") return true;
  if (toNumber(value) === undefined) return false;
  switch (test.operator) {
    case "==":
    case "!=":
      return test.word.number !== undefined && !test.word.quoted;
    case "in":
      return test.among.every((one) => "from" in one || one.number !== undefined && !one.quoted);
    default:
      return "limit" in test;
  }
}

/** The type and size of a value, which may be anything that a server knows. */
function describeKind(
  { value, path }: Value,
  { body, isCut }: Answer,
  show: (text: string) => string,
): string {
  const place = path === undefined ? "" : ` at ${show(path)}`;
  const count = (size: number, what: string) => `${size} ${what}${size === 1 ? "" : "s"}`;
  if (value === null) return `found null${place}`;
  if (value === body) {
    if (body.trim() === "") return "found an empty body";
    return `found a body of ${isCut ? "over " : ""}${count(body.length, "character")}`;
  }
  if (typeof value === "string") {
    return `found a text of ${count(value.length, "character")}${place}`;
  }
  if (Array.isArray(value)) return `found a list of ${count(value.length, "item")}${place}`;
  if (!isMap(value)) return `found a ${typeof value}${place}`;
  return `found a map of ${count(Object.keys(value).length, "key")}${place}`;
}

function expiry(left: number): string {
  const words = describeLargestUnit(Math.abs(left));
  return left < 0 ? `it expired ${words} ago` : `found ${words}`;
}
