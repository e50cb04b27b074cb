import type { Problem } from "../problem.ts";
import { alsoIn, type Mistake } from "./mistake.ts";
import { commentedOut, listWithoutKey, possibleMistakes } from "./mistakes.ts";
import { firstError, lineAndColumn, plainTexts, type Repeat, repeatsIn } from "./positions.ts";
import { specialSpace, TAB, wrongHyphen } from "./wrong_characters.ts";

/** Longer texts are not corrected on trial: each trial reads the whole text. */
const LONGEST = 200_000;
/** Mistakes corrected at most; a text with more is probably no configuration. */
const MOST = 20;

/**
 * Finds the mistakes in a text that is not YAML, with their places. Corrections are tried near the first
 * error; the one that lets the text be read further tells the mistake. If errors are left in the end,
 * only the first is reported, because the others mostly follow from it. `message` is the error of the
 * parser that gave up, for texts in which the other one finds none.
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

/** YAML 1.2, section 5.1: what a stream may not hold. */
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

/** A message of the other parser, which has the place in its words and a picture below them. */
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
/** Non-breaking and other special spaces at the start of a text. */
const SPECIAL_SPACES = /^[\u00a0\u2000-\u200b\u202f\u3000\ufeff]+/;
/** A key behind a tab. */
const TABBED_KEY = /^ *\t\s*(?=[\w-]+:(?:\s|$))/;

/**
 * Corrects mistakes that leave a text readable, but with another meaning: items that start with a dash,
 * keys behind special spaces, and lists without a key or keys behind a tab that a text above them has
 * swallowed (`url: https://a.example` and `- 200` below it are one text in YAML). Each is an error.
 */
export function correctReadable(source: string): { text: string; problems: Problem[] } {
  const text = source.replaceAll("\r\n", "\n");
  const characters = wrongStarts(text);
  const plain = characters.at(-1)?.corrected.join("\n") ?? text;
  const swallowed = swallowedLines(plain);
  const found = [...characters, ...swallowed];
  const grouped = Map.groupBy(found, ({ message }) => message);
  const problems = [...grouped.values()].map(([first, ...others]) =>
    problemOf({ ...first!, message: first!.message + alsoIn(others.map(({ line }) => line)) })
  );
  return { text: swallowed.at(-1)?.corrected.join("\n") ?? plain, problems };
}

/** Texts that start with a dash or a special space; each is corrected in addition to those before it. */
function wrongStarts(text: string): Mistake[] {
  const found: Mistake[] = [];
  let lines: readonly string[] = text.split("\n");
  for (const { isKey, source, start } of plainTexts(text)) {
    const { line: number, column } = lineAndColumn(text, start);
    const own = lines[number - 1]!;
    const replace = (wrong: string, right: string, message: string) => {
      lines = lines.with(number - 1, own.replace(wrong, right));
      found.push({ line: number - 1, column: column - 1, message, corrected: lines });
    };
    const [dash] = /^ *$/.test(own.slice(0, column - 1)) ? WRONG_HYPHEN.exec(source) ?? [] : [];
    if (dash !== undefined) replace(dash, "-", wrongHyphen(dash));
    const [spaces] = isKey ? SPECIAL_SPACES.exec(source) ?? [] : [];
    if (spaces !== undefined) replace(spaces, " ".repeat(spaces.length), specialSpace(spaces));
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
  for (const { start, end } of plainTexts(text)) {
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
