import { shorten } from "../../../text/plain_text.ts";
import { millisecondsIn } from "../../keys/times.ts";
import { bareWord, numberIn, type Range, type Subject, type Word } from "./assertion.ts";

/** A syntax error in an assertion; the message names the character. */
export class AssertionError extends Error {
  override readonly name = "AssertionError";
  /** `offset` counts UTF-16 units from the start of the text to the fault. */
  constructor(message: string, readonly offset: number) {
    super(message);
  }
}

/** Reads a text from its start to its end, piece by piece. */
export class Scanner {
  #at = 0;

  constructor(readonly text: string) {
    this.skipBlanks();
  }

  /** UTF-16 units before the next piece. */
  get at(): number {
    return this.#at;
  }

  get isAtEnd(): boolean {
    return this.#at === this.text.length;
  }

  /** Takes what a sticky pattern finds at this place, if it finds anything. */
  take(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.text);
    if (found === null) return undefined;
    this.#at += found[0].length;
    return found;
  }

  skipBlanks(): void {
    this.take(/\s*/y);
  }

  /** The error that something else than expected was found at a place. */
  fault(expected: string, { at = this.#at, hint }: { at?: number; hint?: string } = {}) {
    const piece = /^\S+/.exec(this.text.slice(at))?.[0];
    const found = piece === undefined ? "nothing" : `"${shorten(piece, 40)}"`;
    return this.wrong(`expected ${expected}, found ${found}`, { at, hint });
  }

  /** The error at a place, with a message. */
  wrong(words: string, { at, hint }: { at: number; hint?: string }): AssertionError {
    const character = [...this.text.slice(0, at)].length + 1;
    const more = hint === undefined ? "" : `; ${hint}`;
    return new AssertionError(`${words} at character ${character}${more}`, at);
  }
}

/** Values that subjects with numbers are compared with. */
const NUMBERS: Partial<
  Record<Subject["of"], { expected: string; read(text: string): number | undefined }>
> = {
  status: {
    expected: "a status from 100 to 999",
    read: (text) => /^[1-9]\d\d$/.test(text) ? Number(text) : undefined,
  },
  responseTime: {
    expected: "a length of time such as 800 or 2s",
    read: (text) => millisecondsIn(text, "ms"),
  },
  certificate: {
    expected: "a length of time such as 14d",
    read: (text) => /[a-z]$/.test(text) ? millisecondsIn(text, "d") : undefined,
  },
};

const ANY_NUMBER = { expected: "a number", read: numberIn };

/** Takes a number that fits the subject; with a unit if it is a duration. */
export function takeNumber(scanner: Scanner, { of }: Subject): number {
  const { expected, read } = NUMBERS[of] ?? ANY_NUMBER;
  const { at } = scanner;
  const written = scanner.take(/[^\s,]+/y)?.[0] ?? "";
  const number = read(written);
  if (number !== undefined) return number;
  throw scanner.fault(expected, { at, hint: hintFor(written, of) });
}

function hintFor(written: string, of: Subject["of"]): string | undefined {
  if (/^[1-5]xx$/i.test(written)) return `did you mean in ${written[0]}00..${written[0]}99?`;
  if (written.includes("..")) return "a range goes with in";
  return of === "certificate" && /^\d+$/.test(written) ? `did you mean ${written}d?` : undefined;
}

/** Takes a word that a subject is compared with, bare or in quotes. */
export function takeWord(scanner: Scanner, subject: Subject): Word {
  if (NUMBERS[subject.of] !== undefined) {
    const { at } = scanner;
    const number = takeNumber(scanner, subject);
    return { text: scanner.text.slice(at, scanner.at), quoted: false, number };
  }
  const { at } = scanner;
  const [quoted] = scanner.take(/"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'/ys) ?? [];
  if (quoted !== undefined) return { text: unquoted(quoted), quoted: true };
  if (scanner.take(/["']/y) !== undefined) {
    throw scanner.wrong("the quote is not closed that begins", { at });
  }
  const [bare] = scanner.take(/[^\s,]+/y) ?? [];
  if (bare === undefined) throw scanner.fault("a text or a number");
  return bareWord(bare);
}

const ESCAPED: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t" };

/** A backslash before any other character stays. */
function unquoted(quoted: string): string {
  return quoted.slice(1, -1).replace(
    /\\([\\"'nrt])/g,
    (_, character: string) => ESCAPED[character] ?? character,
  );
}

/** Takes words and ranges separated by commas. */
export function takeList(scanner: Scanner, subject: Subject): (Word | Range)[] {
  const list: (Word | Range)[] = [];
  do {
    scanner.skipBlanks();
    list.push(takeRange(scanner, subject) ?? takeWord(scanner, subject));
    scanner.skipBlanks();
  } while (scanner.take(/,/y) !== undefined);
  return list;
}

function takeRange(scanner: Scanner, { of }: Subject): Range | undefined {
  const { at } = scanner;
  const { expected, read } = NUMBERS[of] ?? ANY_NUMBER;
  const [, first, last] = /^([^\s,"']+?)\.\.([^\s,]+)/.exec(scanner.text.slice(at)) ?? [];
  if (first === undefined || last === undefined) return undefined;
  const [from, to] = [read(first), read(last)];
  if (from === undefined || to === undefined) {
    if (NUMBERS[of] === undefined) return undefined;
    const place = from === undefined ? at : at + first.length + 2;
    throw scanner.fault(expected, { at: place });
  }
  if (from > to) throw scanner.fault("a range from the smaller to the greater", { at });
  scanner.take(/[^\s,]+/y);
  return { from, to };
}
