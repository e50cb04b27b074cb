import { nearest } from "../../config/keys/unknown_key.ts";
import type { Subject, Test } from "./assertion.ts";
import type { Scanner } from "./scanner.ts";

/** A comparison, by how it is written. */
export type Operator = Test["operator"];

const OF_NUMBERS: readonly Operator[] = ["==", "!=", "<", "<=", ">", ">=", "in"];
const OF_TEXTS: readonly Operator[] = [...OF_NUMBERS, "contains", "matches"];

/** The comparisons that there are for a subject. */
const OPERATORS: Readonly<Record<Subject["of"], readonly Operator[]>> = {
  status: OF_NUMBERS,
  responseTime: OF_NUMBERS,
  certificate: OF_NUMBERS,
  body: OF_TEXTS,
  json: [...OF_TEXTS, "exists"],
  header: [...OF_TEXTS, "exists"],
};

/** What other languages call a comparison. */
const MEANT: Readonly<Record<string, Operator>> = {
  "=": "==",
  "===": "==",
  "!==": "!=",
  "<>": "!=",
  "=<": "<=",
  "=>": ">=",
  "~": "matches",
  "=~": "matches",
  eq: "==",
  equals: "==",
  equal: "==",
  is: "==",
  above: ">",
  over: ">",
  below: "<",
  under: "<",
  between: "in",
  within: "in",
  has: "contains",
  includes: "contains",
  regex: "matches",
  like: "matches",
};

/**
 * Takes a comparison that there is for a subject.
 *
 * @throws {AssertionFault} Where something else stands there.
 */
export function takeOperator(scanner: Scanner, { of }: Subject): Operator {
  const known = OPERATORS[of];
  const { at } = scanner;
  const written = scanner.take(/[=!<>~]+|[\p{L}_]+/uy)?.[0];
  const operator = known.find((one) => one === written);
  if (operator !== undefined) return operator;
  const samples = known === OF_NUMBERS ? "==, < or in" : "==, contains or matches";
  throw scanner.fault(`a comparison such as ${samples}`, { at, hint: hintFor(written, known) });
}

function hintFor(written: string | undefined, known: readonly Operator[]): string | undefined {
  if (written === undefined) return undefined;
  const word = written.toLowerCase();
  const near = Object.hasOwn(MEANT, word) ? word : nearest(word, [...known, ...Object.keys(MEANT)]);
  const meant = near !== undefined && Object.hasOwn(MEANT, near) ? MEANT[near] : near;
  return known.some((one) => one === meant) ? `did you mean ${meant}?` : undefined;
}
