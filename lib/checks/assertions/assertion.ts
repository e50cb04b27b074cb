import type { Path } from "./json_path.ts";

/** What a failed assertion means for its site. */
export const SEVERITIES = ["down", "degraded"] as const;

/** Something that has to be true of an answer. */
export interface Assertion {
  /** As written, with the names of secrets. */
  text: string;
  condition: Condition;
  severity: typeof SEVERITIES[number];
}

/** An assertion as it was understood. */
export interface Condition {
  subject: Subject;
  /** Whether each value must fail the test. */
  not: boolean;
  test: Test;
}

/** What of an answer is looked at. Header names are in small letters. */
export type Subject =
  | { of: "status" | "body" | "responseTime" | "certificate" }
  | { of: "json"; path: Path }
  | { of: "header"; name: string };

/** What a value has to be. Lengths of time are in milliseconds. */
export type Test =
  | { operator: "==" | "!=" | "contains"; word: Word }
  | { operator: "<" | "<=" | ">" | ">="; limit: number }
  | { operator: "in"; among: (Word | Range)[] }
  | { operator: "matches"; source: string; flags: string }
  | { operator: "exists" };

/** A word that stands bare may be meant as a number, `true`, `false` or `null`; one in quotes is a text. */
export interface Word {
  text: string;
  quoted: boolean;
  /** What it is as a number, where it is one. */
  number?: number;
}

/** Numbers from one to another, both included. */
export interface Range {
  from: number;
  to: number;
}

const NUMBER = /^[+-]?(?:\d+(?:\.\d+)?|\.\d+)(?:e[+-]?\d+)?$/i;

/** The number that a text is in decimal notation; `undefined` where it is none. */
export function numberIn(text: string): number | undefined {
  const bare = text.trim();
  return NUMBER.test(bare) ? Number(bare) : undefined;
}

/** A word without quotes. */
export function bareWord(text: string): Word {
  const number = numberIn(text);
  return { text, quoted: false, ...(number === undefined ? {} : { number }) };
}
