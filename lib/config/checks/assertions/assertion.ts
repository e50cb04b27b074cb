/** Meanings of a failed assertion for its site. */
export const SEVERITIES = ["down", "degraded"] as const;

export interface Assertion {
  /** As written, with the names of secrets. */
  text: string;
  condition: Condition;
  severity: typeof SEVERITIES[number];
}

export interface Condition {
  subject: Subject;
  /** True if each value must fail the test. */
  not: boolean;
  test: Test;
}

/** Steps down into JSON: a name, a place in a list (from the end if negative), or every value. */
export type Path = readonly (string | number | typeof EVERY)[];

export const EVERY = Symbol("*");

/** The part of an answer that an assertion is about. Header names are in small letters. */
export type Subject =
  | { of: "status" | "body" | "responseTime" | "certificate" }
  | { of: "json"; path: Path }
  | { of: "header"; name: string };

/** A test of a value. Durations are in milliseconds. */
export type Test =
  | { operator: "==" | "!=" | "contains"; word: Word }
  | { operator: "<" | "<=" | ">" | ">="; limit: number }
  | { operator: "in"; among: (Word | Range)[] }
  | { operator: "matches"; source: string; flags: string }
  | { operator: "exists" };

/** A bare word may be a number, `true`, `false` or `null`; one in quotes is a text. */
export interface Word {
  text: string;
  quoted: boolean;
  number?: number;
}

/** Numbers from one to another, both included. */
export interface Range {
  from: number;
  to: number;
}

const NUMBER = /^[+-]?(?:\d+(?:\.\d+)?|\.\d+)(?:e[+-]?\d+)?$/i;

/** The number that a text is in decimal notation; `undefined` if it is none. */
export function parseNumber(text: string): number | undefined {
  const bare = text.trim();
  return NUMBER.test(bare) ? Number(bare) : undefined;
}

export function bareWord(text: string): Word {
  const number = parseNumber(text);
  return { text, quoted: false, ...(number === undefined ? {} : { number }) };
}
