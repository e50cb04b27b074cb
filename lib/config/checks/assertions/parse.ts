import { shorten } from "../../../text/plain_text.ts";
import { parseDuration } from "../../keys/times.ts";
import { nearHint } from "../../../text/nearest.ts";

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

/** A syntax error in an assertion; the message has the number of the character. */
export class AssertionError extends Error {
  override readonly name = "AssertionError";
}

/**
 * Parses an assertion: `SUBJECT [not] COMPARISON [VALUE]`.
 *
 * @throws {AssertionError}
 */
export function parseAssertion(text: string): Condition {
  const reader = new Reader(text);
  const subject = readSubject(reader);
  const not = reader.take(/not(?!\w)/y) !== undefined;
  const test = readTest(reader, subject.of);
  reader.need(/$/y, "the end, or quotes around a text with blanks or commas");
  return { subject, not, test };
}

/** A part of an answer: a subject, of which a pattern may choose a part, the first group if it has one. */
export interface Source {
  /** As written, without the pattern. */
  text: string;
  subject: Extract<Subject, { of: "body" | "json" | "header" }>;
  pattern?: { source: string; flags: string };
}

/**
 * Parses a part of an answer: `json PATH`, `header NAME` or `body`, with a pattern behind it or not.
 *
 * @throws {AssertionError}
 */
export function parseSource(text: string): Source {
  const reader = new Reader(text);
  const subject = readSubject(reader, ["json", "header", "body"]);
  const words = reader.written;
  const pattern = reader.isAtEnd() ? undefined : readPattern(reader);
  reader.need(/$/y, "the end");
  return { text: words, subject: subject as Source["subject"], ...pattern && { pattern } };
}

/** Reads a text piece by piece, with any blanks between the pieces. */
class Reader {
  #at = 0;
  /** Start of the piece that was tried last. */
  #start = 0;

  constructor(readonly text: string) {}

  /** The pieces so far. */
  get written(): string {
    return this.text.slice(0, this.#at).trim();
  }

  isAtEnd(): boolean {
    return this.text.slice(this.#at).trim() === "";
  }

  take(pattern: RegExp): RegExpExecArray | undefined {
    while (/\s/.test(this.text.charAt(this.#at))) this.#at++;
    pattern.lastIndex = this.#start = this.#at;
    const found = pattern.exec(this.text);
    this.#at += found?.[0].length ?? 0;
    return found ?? undefined;
  }

  need(pattern: RegExp, expected: string): RegExpExecArray {
    const found = this.take(pattern);
    if (found === undefined) throw this.fault(expected);
    return found;
  }

  pick<T extends string>(pattern: RegExp, words: readonly T[]): T {
    const written = this.take(pattern)?.[0] ?? "";
    const word = words.find((one) => one === written);
    if (word === undefined) {
      throw this.fault(`one of ${words.join(", ")}`, nearHint(written, words));
    }
    return word;
  }

  fault(expected: string, hint = ""): AssertionError {
    const piece = /^\S+/.exec(this.text.slice(this.#start))?.[0];
    const found = piece === undefined ? "nothing" : `"${shorten(piece, 40)}"`;
    const character = [...this.text.slice(0, this.#start)].length + 1;
    return new AssertionError(
      `expected ${expected}, found ${found} at character ${character}${hint}`,
    );
  }
}

const SUBJECTS = ["status", "body", "json", "header", "responseTime", "certificate"] as const;

function readSubject(reader: Reader, subjects: readonly Subject["of"][] = SUBJECTS): Subject {
  const of = reader.pick(/[^\s=!<>~]+/y, subjects);
  if (of === "json") return { of, path: readPath(reader) };
  if (of === "header") {
    const [name] = reader.need(/[!#$%&'*+.^_`|~0-9A-Za-z-]+/y, "the name of a header");
    return { of, name: name.toLowerCase() };
  }
  if (of === "certificate") reader.need(/expires\s+in(?!\w)/y, 'the words "expires in"');
  return { of };
}

const STEP =
  /\.(?:(\*)|([\p{L}\p{N}_$-]+))|\[\s*(?:(\*)|(-?\d{1,9})|'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)")\s*\]/gu;
const PATH = new RegExp(String.raw`\$(?:${STEP.source})*(?=[\s=!<>]|$)`, "uy");

function readPath(reader: Reader): Path {
  const [path] = reader.need(PATH, "a path such as $.items[0]['disk space'].*");
  return [...path.matchAll(STEP)].map(([, star, name, all, index, single, double]) => {
    if (star !== undefined || all !== undefined) return EVERY;
    if (index !== undefined) return Number(index);
    return name ?? (single ?? double)!.replace(/\\(.)/gs, "$1");
  });
}

const OF_NUMBERS = ["==", "!=", "<", "<=", ">", ">=", "in"] as const;
const OF_TEXTS = [...OF_NUMBERS, "contains", "matches"] as const;
const OF_PARTS = [...OF_TEXTS, "exists"] as const;

const OPERATORS: Readonly<Record<Subject["of"], readonly Test["operator"][]>> = {
  status: OF_NUMBERS,
  responseTime: OF_NUMBERS,
  certificate: OF_NUMBERS,
  body: OF_TEXTS,
  json: OF_PARTS,
  header: OF_PARTS,
};

function readTest(reader: Reader, of: Subject["of"]): Test {
  const operator = reader.pick(/[=!<>~]+|[\p{L}_]+/uy, OPERATORS[of]);
  switch (operator) {
    case "exists":
      return { operator };
    case "matches":
      return { operator, ...readPattern(reader) };
    case "in": {
      const among: (Word | Range)[] = [];
      do among.push(readWordOrRange(reader, of)); while (reader.take(/,/y) !== undefined);
      return { operator, among };
    }
    case "==":
    case "!=":
    case "contains":
      return { operator, word: readWord(reader, of) };
    default: {
      const { expected, read } = numbersOf(of);
      const limit = read(reader.need(/[^\s,]+/y, expected)[0]);
      if (limit === undefined) throw reader.fault(expected);
      return { operator, limit };
    }
  }
}

/** A pattern ends at a slash, except after a backslash or within brackets. */
const PATTERN = /\/((?:[^/\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+)\/([imsuv]*)(?!\w)/y;

function readPattern(reader: Reader): { source: string; flags: string } {
  const expected = "a regular expression such as /ok/, with flags of i, m, s, u and v";
  const [, source = "", flags = ""] = reader.need(PATTERN, expected);
  try {
    new RegExp(source, flags);
  } catch (error) {
    throw reader.fault(expected, `: ${(error as Error).message.replace(/^.*: /s, "")}`);
  }
  return { source, flags };
}

const NUMBERS: Partial<Record<Subject["of"], ReturnType<typeof numbersOf>>> = {
  status: {
    expected: "a status from 100 to 999",
    read: (text) => /^[1-9]\d\d$/.test(text) ? Number(text) : undefined,
  },
  responseTime: {
    expected: "a length of time such as 800 or 2s",
    read: (text) => parseDuration(text, "ms"),
  },
  certificate: {
    expected: "a length of time such as 14d",
    read: (text) => /[a-z]$/.test(text) ? parseDuration(text, "d") : undefined,
  },
};

function numbersOf(of: Subject["of"]): {
  expected: string;
  read(text: string): number | undefined;
} {
  return NUMBERS[of] ?? { expected: "a number", read: parseNumber };
}

const ESCAPED: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t" };

function readWord(reader: Reader, of: Subject["of"]): Word {
  const { expected = "a number, a word or a text in quotes", read } = NUMBERS[of] ?? {};
  const [text] = reader.need(/"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|[^\s,"'][^\s,]*/ys, expected);
  if (read !== undefined) {
    const number = read(text);
    if (number === undefined) throw reader.fault(expected);
    return { text, quoted: false, number };
  }
  if (!/^["']/.test(text)) return bareWord(text);
  // A backslash before any other character stays.
  const unescaped = text.slice(1, -1)
    .replace(/\\([\\"'nrt])/g, (_, character: string) => ESCAPED[character] ?? character);
  return { text: unescaped, quoted: true };
}

function readWordOrRange(reader: Reader, of: Subject["of"]): Word | Range {
  const [written, first, last] = reader.take(/([^\s,"']+?)\.\.([^\s,]+)/y) ?? [];
  if (written === undefined) return readWord(reader, of);
  const { expected, read } = numbersOf(of);
  const [from, to] = [read(first!), read(last!)];
  if (from !== undefined && to !== undefined && from <= to) return { from, to };
  if (NUMBERS[of] === undefined && (from === undefined || to === undefined)) {
    return bareWord(written);
  }
  throw reader.fault(`${expected}, or a range from the smaller to the larger`);
}
