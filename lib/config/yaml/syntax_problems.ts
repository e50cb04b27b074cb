import type { Problem } from "../problem.ts";
import { alsoIn, type Mistake } from "./mistake.ts";
import { commentedOut, listWithoutKey, possibleMistakes } from "./mistakes.ts";
import { firstError, lineAndColumn, plainTexts, type Repeat, repeatsIn } from "./positions.ts";
import { specialSpace, wrongHyphen } from "./wrong_characters.ts";

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

/**
 * Corrects mistakes that leave a text readable, but with another meaning: lists without a key that a text
 * above them has swallowed (`url: https://a.example` and `- 200` below it are one text in YAML), items
 * that start with a dash, and keys behind special spaces. Each is an error.
 */
export function correctReadable(source: string): { text: string; problems: Problem[] } {
  const text = source.replaceAll("\r\n", "\n");
  let lines: readonly string[] = text.split("\n");
  const found: Mistake[] = [];
  const correct = (mistake: Mistake) => {
    found.push(mistake);
    lines = mistake.corrected;
  };
  for (const { isKey, source, start, end } of plainTexts(text)) {
    const { line: number, column } = lineAndColumn(text, start);
    const own = lines[number - 1]!;
    const replaced = (found: string, right: string, message: string) => {
      const corrected = lines.with(number - 1, own.replace(found, right));
      correct({ line: number - 1, column: column - 1, message, corrected });
    };
    const [dash] = /^ *$/.test(own.slice(0, column - 1)) ? WRONG_HYPHEN.exec(source) ?? [] : [];
    if (dash !== undefined) replaced(dash, "-", wrongHyphen(dash));
    const [spaces] = isKey ? SPECIAL_SPACES.exec(source) ?? [] : [];
    if (spaces !== undefined) replaced(spaces, " ".repeat(spaces.length), specialSpace(spaces));
    const [, ...below] = text.slice(start, end).split("\n");
    const first = below.findIndex((_, index) => /^\s*- /.test(lines[number + index]!));
    if (first !== -1 && dash === undefined) correct(listWithoutKey(lines, number + first));
  }
  const grouped = Map.groupBy(found, ({ message }) => message);
  const problems = [...grouped.values()].map(([first, ...others]) =>
    problemOf({ ...first!, message: first!.message + alsoIn(others.map(({ line }) => line)) })
  );
  return { text: lines.join("\n"), problems };
}
