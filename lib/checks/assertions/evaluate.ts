import { describeDuration } from "../../time.ts";
import type { Answer, Value } from "./answer.ts";
import {
  type Condition,
  numberIn,
  type Range,
  type Subject,
  type Word,
} from "../../config/checks/assertions/assertion.ts";
import { lookAt } from "./sight.ts";

/** What an assertion came to. */
export interface Finding {
  holds: boolean;
  /** The value that decided in words, or why there is none. */
  found(): string;
}

/** What keeps a pattern from being matched, in words: it takes too long, or more than the engine can do. */
export class PatternError extends Error {
  override readonly name = "PatternError";
}

/** What an evaluation is handed. */
export interface Means {
  /** A text as it may be shown, cut around the place that is meant where it stands in it. */
  show(text: string, place?: string): string;
  /**
   * The part of a text that a pattern matches first.
   *
   * @throws {PatternError} Where that can't be told.
   */
  match(source: string, flags: string, text: string): string | undefined;
}

/**
 * Whether an assertion holds of an answer. Where a path leads to several values it has to hold for each
 * of them; where there is none, only `not exists` holds.
 *
 * @throws {PatternError} Where a pattern can't be matched.
 */
export function evaluate(
  { subject, not, test }: Condition,
  answer: Answer,
  means: Means,
): Finding {
  const sight = lookAt(subject, answer);
  if ("lacking" in sight) {
    const holds = test.operator === "exists" && not && sight.absent;
    return { holds, found: () => sight.lacking };
  }
  const outcomeOf = (value: Value) => {
    const { holds, near, instead } = meets(value.value, subject, test, means);
    return { value, holds: instead === undefined && holds !== not, near, instead };
  };
  const { value, holds, near, instead } =
    sight.values.values().map(outcomeOf).find(({ holds }) => !holds) ??
      outcomeOf(sight.values[0]!);
  const found = () => {
    const words = describe(value, subject, (text) => means.show(text, near));
    return instead === undefined ? words : `${words}, ${instead}`;
  };
  return { holds, found };
}

/** How a value does in a test. */
interface Outcome {
  holds: boolean;
  /** The part of the value that decided. */
  near?: string;
  /** Why the test says nothing of the value. */
  instead?: string;
}

function meets(
  value: unknown,
  { of }: Subject,
  test: Condition["test"],
  { match }: Means,
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
        : { holds: textOf(value).includes(test.word.text), near: test.word.text };
    case "matches": {
      const near = match(test.source, test.flags, textOf(value));
      return { holds: near !== undefined, near };
    }
    default: {
      const number = numberOf(value);
      if (number === undefined) return { holds: false, instead: "which is no number" };
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
    return value === text || (number !== undefined && numberIn(value) === number);
  }
  if (quoted || (typeof value === "object" && value !== null)) return false;
  return typeof value === "number" ? value === number : String(value) === text;
}

function isWithin(value: unknown, { from, to }: Range): boolean {
  const number = numberOf(value);
  return number !== undefined && from <= number && number <= to;
}

function numberOf(value: unknown): number | undefined {
  if (typeof value === "number") return value;
  return typeof value === "string" ? numberIn(value) : undefined;
}

function textOf(value: unknown): string {
  if (typeof value === "string") return value;
  try {
    return JSON.stringify(value);
  } catch (error) {
    // What is nested too deeply to be written.
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
  if (typeof value !== "string") return `found ${show(textOf(value))}${place}`;
  if (value.trim() === "") return `found ${of === "body" ? "an empty body" : `""${place}`}`;
  return `found "${show(value)}"${place}`;
}

function expiry(left: number): string {
  const words = describeDuration(Math.abs(left)).split(", ")[0]!;
  return left < 0 ? `it expired ${words} ago` : `found ${words}`;
}
