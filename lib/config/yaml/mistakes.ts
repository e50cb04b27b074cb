import { findLookalike, replaceLookalikes } from "./lookalikes.ts";

/** The place of a mistake, by the index of its line and the column in that, and its cure. */
export interface Mistake {
  line: number;
  column: number;
  message: string;
}

/** A mistake that a text may have, and the lines that would be there without it. */
interface Suspect extends Mistake {
  repaired: readonly string[];
  /** True if it could be the repair of something else: the one that leaves the fewest misfits counts. */
  isGuess?: true;
  /** True if it says that a comment is none. */
  isComment?: true;
}

/** What a parser says of a text. */
export interface Parsed {
  /** Index of the line of the first error; `undefined` if there is none. */
  error?: number;
  /** Counts the keys that mean nothing where they are. */
  countMisfits(): number;
  /** Counts all keys and items. */
  countParts(): number;
}

/** Lines around an error in which its cause is looked for. */
const NEAR = 3;
/** Repairs that are tried at most: each one takes as long as it takes to parse the text. */
const MOST_TRIES = 400;

/**
 * Finds the mistake in a text that can't be parsed, whose error was noticed in one line and kept a parser
 * from going beyond another. Parsers often notice a mistake lines after it; so each mistake that the lines allow is repaired, and the
 * one after whose repair the text can be parsed is the one; `isCertain` is false if it can only be parsed further.
 * `undefined` if no repair helps.
 */
export function findMistake(
  text: string,
  [noticed, reached]: readonly [noticed: number, reached: number],
  parse: (text: string) => Parsed,
): (Mistake & { isCertain: boolean }) | undefined {
  const lines = text.split(/\r?\n/);
  let best: { suspect?: Suspect; end: number; misfits: number } = { end: reached, misfits: 0 };
  let tries = 0;
  for (const suspect of listSuspects(lines, noticed, reached)) {
    if (++tries > MOST_TRIES) break;
    const { error: end = Infinity, countMisfits } = parse(suspect.repaired.join("\n"));
    const misfits = end === Infinity && suspect.isGuess ? countMisfits() : 0;
    const isBetter = end > best.end || (end === Infinity && misfits < best.misfits);
    if (isBetter) best = { suspect, end, misfits };
    if (best.end === Infinity && best.misfits === 0) break;
  }
  return best.suspect && { ...best.suspect, isCertain: best.end === Infinity };
}

/**
 * Finds the mistake for which the text at one of some lines, such as those of a problem, can be parsed but means
 * something else: its repair makes keys or items of what was text, or known keys of unknown ones.
 */
export function findMisreading(
  lines: readonly string[],
  line: number,
  parse: (text: string) => Parsed,
): Mistake | undefined {
  const below = lines.findIndex((text, index) => index > line && isContent(text));
  const base = parse(lines.join("\n"));
  for (const index of below < 0 ? [line] : [line, below]) {
    const isList = index === below && /^ *- /.test(lines[index]!) && PLAIN_VALUE.test(lines[line]!);
    for (
      const suspect of [
        ...listLookalikes(lines, index),
        ...listMissingSpaces(lines, index),
        ...index === line ? listQuotes(lines, index) : [],
        ...listCommentedKeys(lines, index),
        ...isList ? listLostKeys(lines, index) : [],
      ]
    ) {
      const parsed = parse(suspect.repaired.join("\n"));
      if (parsed.error !== undefined) continue;
      const more = parsed.countParts() - base.countParts();
      const isLostKey = suspect.repaired.length > lines.length;
      const isBetter = isLostKey ? more > 1 : (more > 0 && !suspect.isComment) ||
        (more >= 0 && parsed.countMisfits() < base.countMisfits());
      if (isBetter) return suspect;
    }
  }
  return undefined;
}

/** Indexes of lines that may be read as a text in which keys or items are. */
export function listDoubtful(lines: readonly string[]): number[] {
  return lines.flatMap((line, index) => {
    if (OPEN_QUOTE.test(line)) return [index];
    const [, blanks] = PLAIN_VALUE.exec(line) ?? [];
    const below = blanks === undefined ? undefined : lines.slice(index + 1).find(isContent);
    const isDeeper = below !== undefined && indentOf(below) > blanks!.length;
    return isDeeper && /^ *[-\u2010-\u2015\u2022]/.test(below) ? [index] : [];
  });
}

/** True for a text that {@linkcode listDoubtful} could find a line in. */
export const DOUBTFUL =
  /^ *(?:- +)*[^\s#"'][^"']*: +(?:"[^"]*|'[^']*)$|^ *(?:- +)?[\w-]+: +[^\s|>&"'#[{*!].*\r?\n\s*[-\u2010-\u2015\u2022]/m;
const OPEN_QUOTE = /^ *(?:- +)*[^\s#"'][^"']*: +(?:"[^"]*|'[^']*)$/;
const PLAIN_VALUE = /^( *)(?:- +)?[\w-]+: +[^\s|>&"'#[{*!]/;

/** All suspects, the most certain ones first. */
function* listSuspects(
  lines: readonly string[],
  noticed: number,
  reached: number,
): Generator<Suspect> {
  const content = lines.flatMap((line, index) => isContent(line) ? [index] : []);
  const around = (line: number) => {
    const at = content.findIndex((index) => index >= line);
    const middle = at < 0 ? content.length - 1 : at;
    return content.slice(Math.max(0, middle - NEAR), middle + NEAR);
  };
  const near = [...new Set([...around(noticed), ...around(reached), ...content.slice(0, 1)])]
    .sort((a, b) => Math.abs(a - reached) - Math.abs(b - reached) || a - b);
  const before = content.filter((index) => index <= reached).reverse();
  for (const index of near) yield* listLookalikes(lines, index);
  for (const index of near) yield* listGaps(lines, index);
  for (const index of new Set([...near, ...before])) yield* listQuotes(lines, index);
  for (const index of near) yield* listBrackets(lines, index);
  for (const index of near) yield* listStray(lines, index);
  for (const index of near) yield* listCommentedKeys(lines, index);
  // A line with an odd number of blanks before it is the likelier culprit.
  const uneven = [...near].sort((a, b) => indentOf(lines[b]!) % 2 - indentOf(lines[a]!) % 2);
  for (const index of uneven) yield* listIndents(lines, index);
  for (const index of near) yield* listLostHyphens(lines, index);
  for (const index of near) yield* listLostKeys(lines, index);
  for (const index of near) yield* listUnquoted(lines, index);
}

function isContent(line: string): boolean {
  return /^\s*[^\s#]/.test(line);
}

function indentOf(line: string): number {
  return /^ */.exec(line)![0].length;
}

/** A line up to the first colon and the blanks and quotes behind it, its value, and a quote at its end. */
const STRUCTURE =
  /^([^\p{L}\p{N}]*(?:[^:\uff1a\ufe55\ua789\u2236]*[:\uff1a\ufe55\ua789\u2236][^\p{L}\p{N}$]*)?)(.*?)([\u2018-\u201f\uff02\uff07]?\s*)$/u;

/** Lookalikes around a value first, then all of the line. */
function* listLookalikes(lines: readonly string[], line: number): Generator<Suspect> {
  const text = lines[line]!;
  const any = findLookalike(text);
  if (any === undefined) return;
  const [, head = "", value = "", tail = ""] = STRUCTURE.exec(text)!;
  const around = findLookalike(head + " ".repeat(value.length) + tail);
  const suspect = ({ index: column, message }: typeof any, repaired: string): Suspect => (
    { line, column, message, repaired: lines.with(line, repaired) }
  );
  if (around !== undefined) {
    yield suspect(around, replaceLookalikes(head) + value + replaceLookalikes(tail));
  }
  yield suspect(any, replaceLookalikes(text));
}

/** A line of a block: its hyphens, its key with quotes or without, what separates it from its value, and that. */
const KEY = /^( *(?:- +)*)([\w$.<-]+|"[^"]*"|'[^']*')( *:(?: +|$))(.*)$/;

function inLine(lines: readonly string[], line: number) {
  return (column: number, message: string, repaired: string): Suspect => (
    { line, column, message, repaired: lines.with(line, repaired) }
  );
}

function* listMissingSpaces(lines: readonly string[], line: number): Generator<Suspect> {
  const text = lines[line]!;
  const suspect = inLine(lines, line);
  const [, before = "", key = "", value = ""] =
    /^( *(?:- +)*)([A-Za-z_][\w-]*):(?!\/\/)(\S.*)$/.exec(text) ?? [];
  if (key !== "") {
    yield suspect(before.length, `a space is missing after "${key}:"`, `${before}${key}: ${value}`);
  }
  const [, blanks = "", rest = ""] = /^( *)-([^\s-].*)$/.exec(text) ?? [];
  if (rest !== "") {
    const start = /^[^:]*:?/.exec(rest)![0];
    const message = `a space is missing after the hyphen: write "- ${start}"`;
    yield suspect(blanks.length, message, `${blanks}- ${spaced(rest)}`);
  }
}

/** Missing blanks, colons and hyphens. */
function* listGaps(lines: readonly string[], line: number): Generator<Suspect> {
  yield* listMissingSpaces(lines, line);
  const text = lines[line]!;
  const suspect = inLine(lines, line);
  const [, head = "", word = "", tail = ""] =
    /^( *(?:- +)*)([A-Za-z_][\w-]*)(?: +([^\s:].*))?$/.exec(text) ?? [];
  if (word !== "") {
    const comment = /\s/.test(tail.trim()) ? ", or this is a comment, which starts with #" : "";
    const message = `a colon is missing after "${word}"${comment}`;
    yield suspect(head.length, message, `${head}${word}: ${tail}`);
  }
}

/** The first key of an item without its hyphen, in a list of items that start with the same key. */
function* listLostHyphens(lines: readonly string[], line: number): Generator<Suspect> {
  const [, blanks = "", key = "", value = ""] = /^( *)([\w-]+:)( .*)$/.exec(lines[line]!) ?? [];
  if (key === "") return;
  for (const width of [blanks.length - 2, blanks.length]) {
    const start = `${" ".repeat(Math.max(0, width))}- ${key}`;
    if (width < 0 || !lines.some((other) => other.startsWith(start))) continue;
    const message = `a hyphen is missing: write "- ${key}" to start an item`;
    const repaired = lines.with(line, start + value);
    yield { line, column: blanks.length, message, repaired, isGuess: true };
  }
}

/** Adds the blank that may be missing after a key as well. */
function spaced(text: string): string {
  return text.replace(/^([A-Za-z_][\w-]*):(?=\S)/, "$1: ");
}

function* listQuotes(lines: readonly string[], line: number): Generator<Suspect> {
  const text = lines[line]!;
  const [, before = "", quote = "", rest = ""] =
    /^( *(?:- +)*(?:[^\s"':]+ *: +)?)(["'])(.*)$/.exec(text) ?? [];
  const inner = rest.trimEnd();
  if (quote !== "" && inner.indexOf(quote) >= 0 && inner.indexOf(quote) < inner.length - 1) {
    const between = inner.endsWith(quote) ? inner.slice(0, -1) : inner;
    const [escaped, cure] = quote === "'"
      ? [between.replaceAll(/'+/g, "''"), "double it, or use double quotes around the text"]
      : [
        between.replaceAll(/(?<!\\)"/g, '\\"'),
        'write \\" for it, or use single quotes around the text',
      ];
    const column = before.length + 1 + between.indexOf(quote);
    const message = `this ${quote} ends the text that starts with ${quote} before it: ${cure}`;
    yield {
      line,
      column,
      message,
      repaired: lines.with(line, `${before}${quote}${escaped}${quote}`),
    };
  }
  for (const mark of ['"', "'"]) {
    if (text.replaceAll('\\"', "").split(mark).length % 2 !== 0) continue;
    const ends = [...text.matchAll(/[,\]}]|\s+#|\s*$/g)].map(({ index }) => index);
    for (const end of new Set(ends.reverse())) {
      const column = text.lastIndexOf(mark, end - 1);
      if (column < 0) continue;
      const message = `the ${mark} that opens here is never closed`;
      const repaired = lines.with(line, text.slice(0, end) + mark + text.slice(end));
      yield { line, column, message, repaired };
    }
    const [, start = "", value = ""] = KEY.exec(text)?.[4] === undefined
      ? /^( *- +)(.*)$/.exec(text) ?? []
      : [, text.slice(0, text.length - KEY.exec(text)![4]!.length), KEY.exec(text)![4]!];
    if (value.trimEnd().endsWith(mark)) {
      const message = `the ${mark} at the end of this text is missing at its start`;
      yield {
        line,
        column: start.length,
        message,
        repaired: lines.with(line, start + mark + value),
      };
    }
  }
}

function* listBrackets(lines: readonly string[], line: number): Generator<Suspect> {
  const text = lines[line]!;
  for (const [open, close] of ["[]", "{}"] as const) {
    const column = text.lastIndexOf(open!);
    if (column < 0) continue;
    const message = `the ${open} that opens here is never closed`;
    yield { line, column, message, repaired: lines.with(line, text.trimEnd() + close) };
  }
}

const COMMENTED_KEY = /^ *#+ *((?:- +)?[\w-]+:)\s*$/;

function commentedOut(key: string, line: number): string {
  return `this belongs to "${key}", which is commented out in line ${line + 1}: remove the # there`;
}

/** Names the key without a value that is commented out above a line; `undefined` if there is none. */
export function findCommentedKey(lines: readonly string[], line: number): string | undefined {
  for (let above = line - 1; above >= 0 && !isContent(lines[above]!); above--) {
    const [, key] = COMMENTED_KEY.exec(lines[above]!) ?? [];
    if (key !== undefined) return commentedOut(key, above);
  }
  return undefined;
}

/** A line whose key above it is commented out. */
function* listCommentedKeys(lines: readonly string[], line: number): Generator<Suspect> {
  for (let above = line - 1; above >= 0 && !isContent(lines[above]!); above--) {
    const [, key] = COMMENTED_KEY.exec(lines[above]!) ?? [];
    if (key === undefined) continue;
    const column = indentOf(lines[line]!);
    const message = commentedOut(key, above);
    for (const indent of [...listColumns(lines, line), column]) {
      const repaired = lines.with(above, " ".repeat(indent) + key);
      yield { line, column, message, repaired, isComment: true };
    }
  }
}

/** Columns at which a line may start: those of the lines around it and of what follows their hyphens. */
function listColumns(lines: readonly string[], line: number): number[] {
  const columns = new Set<number>();
  const collect = (text: string) => {
    const [, blanks = "", hyphens = ""] = /^( *)((?:- +)*)/.exec(text)!;
    columns.add(blanks.length).add(blanks.length + hyphens.length);
  };
  let narrowest = Infinity;
  for (let above = line - 1; above >= 0 && narrowest > 0; above--) {
    if (!isContent(lines[above]!) || indentOf(lines[above]!) > narrowest) continue;
    narrowest = indentOf(lines[above]!);
    collect(lines[above]!);
  }
  const below = lines.slice(line + 1).find(isContent) ?? "";
  collect(below);
  const own = indentOf(lines[line]!);
  // What follows the hyphens of an item is aligned with its next line.
  const hyphens = /^ *((?:- +)*)/.exec(lines[line]!)![1]!.length;
  if (indentOf(below) >= hyphens) columns.add(indentOf(below) - hyphens);
  return [...columns.add(0)].filter((column) => column !== own)
    .sort((a, b) => Math.abs(a - own) - Math.abs(b - own));
}

/** The end of the lines that are indented like one or more, directly below it. */
function blockEnd(lines: readonly string[], line: number): number {
  const own = indentOf(lines[line]!);
  let end = line + 1;
  while (end < lines.length && (!isContent(lines[end]!) || indentOf(lines[end]!) >= own)) end++;
  return end;
}

function* listIndents(lines: readonly string[], line: number): Generator<Suspect> {
  const own = indentOf(lines[line]!);
  const columns = listColumns(lines, line);
  const end = blockEnd(lines, line);
  for (const last of new Set([line + 1, end])) {
    for (const column of columns) {
      const shift = (text: string) =>
        column > own ? " ".repeat(column - own) + text : text.slice(own - column);
      const moved = lines.slice(line, last).map((text) => isContent(text) ? shift(text) : "");
      const which = moved.filter(isContent).length > 1
        ? "this line and those that belong to it are"
        : "this line is";
      yield {
        line,
        column: own,
        message: `${which} indented by ${own} instead of ${column} spaces`,
        repaired: [...lines.slice(0, line), ...moved, ...lines.slice(last)],
        isGuess: true,
      };
    }
  }
}

/** A line of signs that are no YAML, such as those around a block of code. */
function* listStray(lines: readonly string[], line: number): Generator<Suspect> {
  const text = lines[line]!;
  if (/[\p{L}\p{N}]/u.test(text)) return;
  const message = `${JSON.stringify(text.trim())} means nothing here: remove it`;
  yield { line, column: text.search(/\S/), message, repaired: lines.with(line, "") };
}

/** A line whose key above it is missing. */
function* listLostKeys(lines: readonly string[], line: number): Generator<Suspect> {
  const own = indentOf(lines[line]!);
  const isItem = /^ *- /.test(lines[line]!);
  const columns = listColumns(lines, line).filter((column) => column < own).sort((a, b) => b - a);
  const what = isItem ? "this list" : "this line";
  const message =
    `${what} belongs to a key that is missing in the line above it, or is indented too deep`;
  for (const column of isItem ? [own, ...columns] : columns) {
    const repaired = lines.toSpliced(line, 0, `${" ".repeat(column)}x-missing:`);
    yield { line, column: own, message, repaired, isGuess: true };
  }
}

/** A text that must be quoted. */
function* listUnquoted(lines: readonly string[], line: number): Generator<Suspect> {
  const [, before = "", key = "", colon = "", value = ""] = KEY.exec(lines[line]!) ??
    /^( *)(-)( +)(.*)$/.exec(lines[line]!) ?? [];
  if (value === "" || /^[|>]/.test(value)) return;
  const column = before.length + key.length + colon.length;
  const [, other] = /\s([\w-]+): /.exec(value) ?? [];
  const message = value.startsWith("- ")
    ? `a list starts in a line of its own, below "${key}:"`
    : other === undefined
    ? "this text must be quoted, because of its special characters"
    : `this text must be quoted, because it contains ": "; if "${other}:" is a key, start a new line before it`;
  const quoted = `"${value.replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"`;
  yield { line, column, message, repaired: lines.with(line, before + key + colon + quoted) };
}
