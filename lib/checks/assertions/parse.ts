import { nearest } from "../../config/keys/unknown_key.ts";
import type { Condition, Subject, Test } from "./assertion.ts";
import { takePath } from "./json_path.ts";
import { takeOperator } from "./operators.ts";
import { Scanner } from "./scanner.ts";
import { takeList, takeNumber, takeWord } from "./words.ts";

const SUBJECTS = ["status", "body", "json", "header", "responseTime", "certificate"] as const;

/**
 * Reads an assertion: `SUBJECT [not] COMPARISON [VALUE]`.
 *
 * @throws {AssertionFault} Where it is none, with what was expected, what was found and where.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals(parseAssertion("status in 200..299, 304"), {
 *   subject: { of: "status" },
 *   not: false,
 *   test: { operator: "in", among: [{ from: 200, to: 299 }, { text: "304", quoted: false, number: 304 }] },
 * });
 * ```
 */
export function parseAssertion(text: string): Condition {
  const scanner = new Scanner(text);
  const subject = takeSubject(scanner);
  scanner.skipBlanks();
  const not = scanner.take(/not(?!\w)/y) !== undefined;
  scanner.skipBlanks();
  const test = takeTest(scanner, subject);
  scanner.skipBlanks();
  if (!scanner.isAtEnd) {
    throw scanner.fault("the end", { hint: "a text with blanks or commas has to be quoted" });
  }
  return { subject, not, test };
}

function takeSubject(scanner: Scanner): Subject {
  const { at } = scanner;
  const [word] = scanner.take(/[^\s=!<>~]+/y) ?? [];
  const of = SUBJECTS.find((one) => one === word);
  if (of === undefined) {
    const near = word === undefined ? undefined : nearest(word, SUBJECTS);
    const hint = near === undefined ? undefined : `did you mean ${near}?`;
    throw scanner.fault(`one of ${SUBJECTS.join(", ")}`, { at, hint });
  }
  scanner.skipBlanks();
  if (of === "json") return { of, path: takePath(scanner) };
  if (of === "certificate") {
    const words = scanner.take(/expires\s+in(?!\w)/y);
    if (words === undefined) throw scanner.fault('the words "expires in"');
  }
  if (of !== "header") return { of };
  const name = scanner.take(/[!#$%&'*+.^_`|~0-9A-Za-z-]+/y)?.[0];
  if (name === undefined) throw scanner.fault("the name of a header");
  return { of, name: name.toLowerCase() };
}

function takeTest(scanner: Scanner, subject: Subject): Test {
  const operator = takeOperator(scanner, subject);
  scanner.skipBlanks();
  switch (operator) {
    case "exists":
      return { operator };
    case "matches":
      return { operator, ...takePattern(scanner) };
    case "in":
      return { operator, among: takeList(scanner, subject) };
    case "==":
    case "!=":
      return { operator, word: takeWord(scanner, subject) };
    case "contains": {
      const { at } = scanner;
      const word = takeWord(scanner, subject);
      if (word.text === "") throw scanner.fault("a text with something in it", { at });
      return { operator, word };
    }
    default:
      return { operator, limit: takeNumber(scanner, subject) };
  }
}

/** A slash ends a pattern, but behind a backslash or within brackets. */
const PATTERN = /\/((?:[^/\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+)\/([a-z]*)/y;

function takePattern(scanner: Scanner): { source: string; flags: string } {
  const { at } = scanner;
  const [, source, flags] = scanner.take(PATTERN) ?? [];
  if (source === undefined || flags === undefined) {
    if (scanner.take(/\//y) !== undefined) {
      throw scanner.wrong("a regular expression is not closed that begins", { at });
    }
    const word = scanner.take(/\w+/y)?.[0];
    const hint = word === undefined ? undefined : `did you mean /${word}/?`;
    throw scanner.fault("a regular expression such as /ok/", { at, hint });
  }
  const other = /[^imsuv]/.exec(flags);
  if (other !== null) {
    throw scanner.fault("flags of i, m, s, u and v", { at: scanner.at - flags.length });
  }
  try {
    new RegExp(source, flags);
  } catch (error) {
    const hint = (error as Error).message.replace(/^.*: /s, "").toLowerCase();
    throw scanner.fault("a regular expression", { at, hint });
  }
  return { source, flags };
}
