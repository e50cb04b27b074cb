import type { Problem } from "../../io/problem.ts";
import { alsoIn, type Mistake } from "./mistake.ts";
import { commentedOut, listWithoutKey, OPEN_QUOTE, possibleMistakes } from "./mistakes.ts";
import { firstError, lineAndColumn, type Repeat, repeatsIn, textPlaces } from "./positions.ts";
import { specialSpace, TAB, wrongHyphen } from "./wrong_characters.ts";

/** No corrections are tried in longer texts, because each trial parses the whole text. */
const LONGEST = 200_000;
/** Mistakes corrected at most; a text with more is probably no configuration. */
const MOST = 20;

/**
 * Finds the mistakes in a text that is not YAML, with their places. Corrections are tried near the first
 * error; the one that moves the first error furthest down is the mistake. If errors remain, only the first is
 * reported, because the others mostly follow from it. `message` is the error of the parser that gave up,
 * used if the parser with positions finds none.
 */
export function syntaxProblems(source: string, message: string): Problem[] {
  const text = source.replaceAll("\r\n", "\n");
  const unprintable = text.search(UNPRINTABLE);
  if (unprintable !== -1) {
    return [problemAt(text, unprintable, "a control character, which YAML does not allow")];
  }
  const conflict = text.search(/^(?:<{7}|>{7})(?: |$)/m);
  if (conflict !== -1) return [problemAt(text, conflict, "a merge conflict is not resolved here")];
  const first = firstError(text);
  const found: Mistake[] = [];
  let lines = text.split("\n");
  while (text.length < LONGEST && found.length < MOST) {
    const mistake = likeliest(lines);
    if (mistake === undefined) break;
    found.push(mistake);
    lines = [...mistake.corrected];
  }
  const isReadable = firstError(lines.join("\n")) === undefined;
  const problems = found.slice(0, isReadable ? MOST : 1).map(problemOf);
  if (first !== undefined && problems.length === 0) {
    problems.push(problemAt(text, first.offset, first.message));
  }
  problems.push(...repeatedKeys(isReadable ? lines.join("\n") : text));
  return problems.length > 0 ? problems : [placed(message)];
}

/** Characters that YAML 1.2, section 5.1, forbids. */
const UNPRINTABLE = /[^\P{Cc}\t\n\r\u0085]|[\ufffe\uffff]/u;

/**
 * The mistake whose correction moves the first error furthest down; `undefined` if none does. One that
 * leaves no error counts more if it leaves no repeated key either.
 */
function likeliest(lines: readonly string[]): Mistake | undefined {
  const lineOfError = (tried: readonly string[]) => {
    const text = tried.join("\n");
    const error = firstError(text);
    if (error !== undefined) return error.line;
    return repeatsIn(text).length === 0 ? Infinity : tried.length;
  };
  const error = firstError(lines.join("\n"));
  if (error === undefined || error.isAlias) return undefined;
  let furthest = error.line;
  let best: Mistake | undefined;
  for (const mistake of possibleMistakes(lines, furthest)) {
    const line = lineOfError(mistake.corrected);
    if (line <= furthest) continue;
    [furthest, best] = [line, mistake];
    if (line === Infinity) break;
  }
  return best;
}

/**
 * Keys that a map has twice, with both places. If a comment or a missing hyphen is the reason, that is
 * one mistake, however many keys it repeats.
 */
function repeatedKeys(text: string): Problem[] {
  const problems: Problem[] = [];
  let lines = text.split("\n");
  for (let passed = 0; problems.length < MOST;) {
    const tried = lines.join("\n");
    const repeats = repeatsIn(tried);
    const repeat = repeats[passed];
    if (repeat === undefined) break;
    const cause = reasonsToRepeat(lines, repeat).find(({ corrected }) => {
      const text = corrected.join("\n");
      return firstError(text) === undefined && repeatsIn(text).length < repeats.length;
    });
    if (cause === undefined) {
      const fix = repeat.areMaps ? "move its keys to the first one" : "remove one of the two";
      problems.push(problemAt(tried, repeat.second, `${alreadySet(repeat)}: ${fix}`));
      passed++;
    } else {
      problems.push(problemOf(cause));
      lines = [...cause.corrected];
    }
  }
  return problems;
}

function alreadySet({ key, place }: Repeat): string {
  return `the key "${key}" is already set in ${place}`;
}

function reasonsToRepeat(lines: readonly string[], repeat: Repeat): Mistake[] {
  const text = lines.join("\n");
  const { line: number, column: from } = lineAndColumn(text, repeat.second);
  const [line, column] = [number - 1, from - 1];
  const comments = commentedOut(lines, line).filter((comment) => comment.line < line)
    .map((comment) => ({
      ...comment,
      message: `${comment.message}; because of it, ${alreadySet(repeat)}`,
    }));
  const written = lines[line]!;
  const startsItem = /-\s+$/.test(text.slice(0, repeat.first)) && /^ {2,}\S/.test(written);
  const message = `${
    alreadySet(repeat)
  }: write "- " before it if it starts a new item, else remove one of the two`;
  const corrected = lines.with(line, written.replace(/ {2}(?=\S)/, "- "));
  return startsItem ? [...comments, { line, column, message, corrected }] : comments;
}

function problemAt(text: string, offset: number, message: string): Problem {
  return { severity: "error", path: [], message, ...lineAndColumn(text, offset) };
}

function problemOf({ line, column, message }: Mistake): Problem {
  return { severity: "error", path: [], message, line: line + 1, column: column + 1 };
}

/** Converts an error of the other parser, whose text contains the place and an excerpt. */
function placed(text: string): Problem {
  const [message, line, column] = /^(.*?) at line (\d+), column (\d+)/.exec(text)?.slice(1) ??
    [text.split("\n")[0]];
  return {
    severity: "error",
    path: [],
    message: message!,
    line: Number(line ?? 1),
    column: Number(column ?? 1),
  };
}

/** Dashes and bullets at the start of a text. */
const WRONG_HYPHEN = /^[–—−‐‑•](?= )/;
/** Non-breaking and other special spaces before a key, behind its colon, and behind the hyphen of an item. */
const SPACES_BEFORE_KEY = /^[\u00a0\u2000-\u200b\u202f\u3000\ufeff]+/;
const SPACES_BEFORE_VALUE =
  /(?<=^(?:- *)?(?:-|[A-Za-z_][\w-]*:))[\u00a0\u2000-\u200b\u202f\u3000\ufeff]+/;
/** A quoted text that ends at the quote that opens another one, or of which only one line is read. */
const OPEN = /\n\s*(?:- +)?[\w-]+: +["']$|^(["'])(?:(?!\1).)+$/;
/** A key behind a tab. */
const TABBED_KEY = /^ *\t\s*(?=[\w-]+:(?:\s|$))/;

/**
 * Corrects mistakes that leave a text readable, but with another meaning: quotes that end only at the
 * next one, items that start with a dash, special spaces around keys, and lists without a key or keys behind a tab that a text above them has
 * swallowed (`url: https://a.example` and `- 200` below it are one text in YAML). Each is an error.
 */
export function correctReadable(source: string): { text: string; problems: Problem[] } {
  const text = source.replaceAll("\r\n", "\n");
  const found: Mistake[] = [];
  let corrected = text;
  for (const find of [openQuotes, wrongStarts, swallowedLines]) {
    found.push(...find(corrected));
    corrected = found.at(-1)?.corrected.join("\n") ?? text;
  }
  const grouped = Map.groupBy(found, ({ message }) => message);
  const problems = [...grouped.values()].map(([first, ...others]) =>
    problemOf({ ...first!, message: first!.message + alsoIn(others.map(({ line }) => line)) })
  );
  return { text: corrected, problems };
}

/** Quotes that are closed only by the one that opens another text, further down. */
function openQuotes(text: string): Mistake[] {
  const found: Mistake[] = [];
  let lines: readonly string[] = text.split("\n");
  while (found.length < MOST) {
    const tried = lines.join("\n");
    const open = textPlaces(tried).find(({ isQuoted, start, end }) =>
      isQuoted && OPEN.test(tried.slice(start, end))
    );
    if (open === undefined) break;
    const { line: number, column } = lineAndColumn(tried, open.start);
    const own = lines[number - 1]!;
    lines = lines.with(number - 1, own.trimEnd() + own[column - 1]!);
    found.push({ line: number - 1, column: column - 1, message: OPEN_QUOTE, corrected: lines });
  }
  return found;
}

/** Texts that start with a dash or a special space; each is corrected in addition to those before it. */
function wrongStarts(text: string): Mistake[] {
  const found: Mistake[] = [];
  let lines: readonly string[] = text.split("\n");
  for (const { isKey, isQuoted, start, end } of textPlaces(text)) {
    if (isQuoted) continue;
    const { line: number, column } = lineAndColumn(text, start);
    const source = text.slice(start, end);
    const before = lines[number - 1]!.slice(0, column - 1);
    const replace = (wrong: RegExp, right: string, message: (found: string) => string) => {
      const { 0: wrongText, index } = wrong.exec(source) ?? { index: 0 };
      if (wrongText === undefined) return;
      const own = lines[number - 1]!;
      const at = column - 1 + index;
      const written = own.slice(0, at) + right.repeat(wrongText.length) +
        own.slice(at + wrongText.length);
      lines = lines.with(number - 1, written);
      found.push({ line: number - 1, column: at, message: message(wrongText), corrected: lines });
    };
    if (/^ *$/.test(before)) replace(WRONG_HYPHEN, "-", wrongHyphen);
    if (isKey) replace(SPACES_BEFORE_KEY, " ", specialSpace);
    if (/^ *(?:- +)*$/.test(before)) replace(SPACES_BEFORE_VALUE, " ", specialSpace);
  }
  return found;
}

/** Keys and lists that a text above them has swallowed; each is corrected in addition to those before it. */
function swallowedLines(text: string): Mistake[] {
  const found: Mistake[] = [];
  let lines: readonly string[] = text.split("\n");
  const correct = (mistake: Mistake) => {
    found.push(mistake);
    lines = mistake.corrected;
  };
  for (const { isQuoted, start, end } of textPlaces(text)) {
    if (isQuoted) continue;
    const { line: number } = lineAndColumn(text, start);
    const [, ...below] = text.slice(start, end).split("\n");
    const tabs = below.findIndex((_, index) => TABBED_KEY.test(lines[number + index]!));
    const item = below.findIndex((_, index) => /^\s*- /.test(lines[number + index]!));
    if (tabs !== -1) {
      const line = number + tabs;
      const [indent] = /^ *(?:- +)*/.exec(lines[number - 1]!)!;
      const corrected = lines.with(
        line,
        lines[line]!.replace(TABBED_KEY, " ".repeat(indent.length)),
      );
      correct({ line, column: lines[line]!.indexOf("\t"), message: TAB, corrected });
    } else if (item !== -1) correct(listWithoutKey(lines, number + item));
  }
  return found;
}
