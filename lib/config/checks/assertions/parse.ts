import { nearest } from "../../../text/nearest.ts";
import { type Condition, EVERY, type Path, type Subject, type Test } from "./assertion.ts";
import { Scanner, takeList, takeNumber, takeWord } from "./scanner.ts";

const SUBJECTS = ["status", "body", "json", "header", "responseTime", "certificate"] as const;

/**
 * Reads an assertion: `SUBJECT [not] COMPARISON [VALUE]`.
 *
 * @throws {AssertionError} If it is none; the message gives the expected and the found text, and the place.
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

/** A pattern ends at a slash, except after a backslash or within brackets. */
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

/** A comparison, by how it is written. */
type Operator = Test["operator"];

const OF_NUMBERS: readonly Operator[] = ["==", "!=", "<", "<=", ">", ">=", "in"];
const OF_TEXTS: readonly Operator[] = [...OF_NUMBERS, "contains", "matches"];

/** The comparisons of each subject. */
const OPERATORS: Readonly<Record<Subject["of"], readonly Operator[]>> = {
  status: OF_NUMBERS,
  responseTime: OF_NUMBERS,
  certificate: OF_NUMBERS,
  body: OF_TEXTS,
  json: [...OF_TEXTS, "exists"],
  header: [...OF_TEXTS, "exists"],
};

/** Comparisons under their names in other languages. */
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

/** Takes a comparison that a subject has. */
function takeOperator(scanner: Scanner, { of }: Subject): Operator {
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

const NAME = /\.(?:(\*)|([\p{L}\p{N}_$-]+))/uy;
const BRACKETS = /\[\s*(?:(\*)|(-?\d{1,9})|'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)")\s*\]/y;

/** Takes a path, such as `$.checks[0]['disk space'].status`. */
function takePath(scanner: Scanner): Path {
  const { at } = scanner;
  const root = scanner.take(/\$/y);
  const word = scanner.take(/[\p{L}_][\p{L}\p{N}_.[\]-]*/uy)?.[0];
  if (root === undefined || word !== undefined) {
    const hint = word === undefined ? undefined : `did you mean $.${word}?`;
    throw scanner.fault("a path such as $.status", { at, hint });
  }
  const path: (string | number | typeof EVERY)[] = [];
  for (let step = takeStep(scanner); step !== undefined; step = takeStep(scanner)) path.push(step);
  return path;
}

function takeStep(scanner: Scanner): Path[number] | undefined {
  const [, star, name] = scanner.take(NAME) ?? [];
  if (star !== undefined) return EVERY;
  if (name !== undefined) return name;
  const [, all, index, single, double] = scanner.take(BRACKETS) ?? [];
  if (all !== undefined) return EVERY;
  if (index !== undefined) return Number(index);
  const quoted = single ?? double;
  if (quoted !== undefined) return quoted.replace(/\\(.)/gs, "$1");
  const { at } = scanner;
  if (scanner.take(/\./y) !== undefined) throw scanner.fault("a name or *");
  if (scanner.take(/\[/y) !== undefined) {
    throw scanner.fault("a number, * or a name in quotes, and a ]", { at: at + 1 });
  }
  return undefined;
}
