import { findLookalike, replaceLookalikes } from "./lookalikes.ts";

/** The place of a mistake, by the index of its line and the column in that, and its cure. */
export interface Mistake {
  line: number;
  column: number;
  message: string;
}

/** A mistake that a text may have, and the lines that would be there without it. */
export interface Suspect extends Mistake {
  repaired: readonly string[];
  /** True if it could be the repair of something else: the one that leaves the fewest misfits counts. */
  isGuess?: true;
  /** True if it says that a comment is none. */
  isComment?: true;
}

export function isContent(line: string): boolean {
  return /^\s*[^\s#]/.test(line);
}

export function countIndent(line: string): number {
  return /^ */.exec(line)![0].length;
}

/** A line up to the first colon and the blanks and quotes behind it, its value, and a quote at its end. */
const STRUCTURE =
  /^([^\p{L}\p{N}]*(?:[^:\uff1a\ufe55\ua789\u2236]*[:\uff1a\ufe55\ua789\u2236][^\p{L}\p{N}$]*)?)(.*?)([\u2018-\u201f\uff02\uff07]?\s*)$/su;

/** Lookalikes around a value; a blank may be missing as well. */
export function* listLookalikes(lines: readonly string[], line: number): Generator<Suspect> {
  const [, head = "", value = "", tail = ""] = STRUCTURE.exec(lines[line]!)!;
  const around = findLookalike(head + " ".repeat(value.length) + tail);
  if (around === undefined) return;
  const { index: column, message } = around;
  const text = replaceLookalikes(head) + value + replaceLookalikes(tail);
  for (const repaired of [text, spaced(text.replace(/^( *)-(?=[^\s-])/, "$1- "))]) {
    yield { line, column, message, repaired: lines.with(line, repaired) };
  }
}

export function* listInnerLookalikes(lines: readonly string[], line: number): Generator<Suspect> {
  const any = findLookalike(lines[line]!);
  if (any === undefined) return;
  const { index: column, message } = any;
  yield { line, column, message, repaired: lines.with(line, replaceLookalikes(lines[line]!)) };
}

/** A line of a block: its hyphens, its key with quotes or without, what separates it from its value, and that. */
const KEY = /^( *(?:- +)*)([\w$.<-]+|"[^"]*"|'[^']*')( *:(?: +|$))(.*)$/;

function inLine(lines: readonly string[], line: number) {
  return (column: number, message: string, repaired: string): Suspect => (
    { line, column, message, repaired: lines.with(line, repaired) }
  );
}

export function* listMissingSpaces(lines: readonly string[], line: number): Generator<Suspect> {
  const text = lines[line]!;
  const suspect = inLine(lines, line);
  const [, before = "", key = "", value = ""] =
    /^( *(?:- +)*)(__\w+|[A-Za-z_][\w-]{0,30}):(?!\/\/)(\S.*)$/.exec(text) ?? [];
  if (key !== "") {
    yield suspect(before.length, `a space is missing after "${key}:"`, `${before}${key}: ${value}`);
  }
  const [, blanks = "", rest = ""] = /^( *)-([^\s-].*)$/.exec(text) ?? [];
  if (rest !== "") {
    const start = /^(?:[\w-]{1,30}:)?/.exec(rest)![0];
    const cure = start === "" ? "" : `: write "- ${start}"`;
    const message = `a space is missing after the hyphen${cure}`;
    yield suspect(blanks.length, message, `${blanks}- ${spaced(rest)}`);
  }
}

/** Missing blanks and colons. A longer word than a key is not quoted: it may be a secret. */
export function* listGaps(lines: readonly string[], line: number): Generator<Suspect> {
  yield* listMissingSpaces(lines, line);
  const text = lines[line]!;
  const suspect = inLine(lines, line);
  const [, head = "", word = "", tail = ""] =
    /^( *(?:- +)*)([A-Za-z_][\w-]{0,30})(?: +([^\s:].*))?$/.exec(text) ?? [];
  if (word !== "") {
    const comment = /\s/.test(tail.trim()) ? ", or this is a comment, which starts with #" : "";
    const message = `a colon is missing after "${word}"${comment}`;
    yield suspect(head.length, message, `${head}${word}: ${tail}`);
  }
}

/** The first key of an item without its hyphen, in a list of items that start with the same key. */
export function* listLostHyphens(lines: readonly string[], line: number): Generator<Suspect> {
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
  return text.replace(/^( *(?:- +)*[A-Za-z_][\w-]*):(?=\S)(?!\/\/)/, "$1: ");
}

export function* listQuotes(lines: readonly string[], line: number): Generator<Suspect> {
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
    const [, indent = "", key = "", colon = "", value = ""] = KEY.exec(text) ??
      /^( *)(-)( +)(.*)$/.exec(text) ?? [];
    if (!value.trimEnd().endsWith(mark)) continue;
    const start = indent + key + colon;
    const message = `the ${mark} at the end of this text is missing at its start`;
    const repaired = lines.with(line, start + mark + value);
    yield { line, column: start.length, message, repaired };
  }
}

export function* listBrackets(lines: readonly string[], line: number): Generator<Suspect> {
  const text = lines[line]!;
  for (const [open, close] of ["[]", "{}"] as const) {
    const column = text.lastIndexOf(open!);
    if (column < 0) continue;
    const message = `the ${open} that opens here is never closed`;
    yield { line, column, message, repaired: lines.with(line, text.trimEnd() + close) };
  }
}

const COMMENTED_KEY = /^ *#+ *((?:- +)?[\w-]+:)\s*$/;

/** A line below a key that is commented out. */
export function* listCommentedKeys(lines: readonly string[], line: number): Generator<Suspect> {
  let above = line - 1;
  while (above >= 0 && !isContent(lines[above]!) && !COMMENTED_KEY.test(lines[above]!)) above--;
  const [, key] = COMMENTED_KEY.exec(lines[above] ?? "") ?? [];
  if (key === undefined) return;
  const column = countIndent(lines[line]!);
  const message = `this belongs to "${key}", which is commented out in line ${
    above + 1
  }: remove the # there`;
  for (const indent of [...listColumns(lines, line), column]) {
    const repaired = lines.with(above, " ".repeat(indent) + key);
    yield { line, column, message, repaired, isComment: true };
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
    if (!isContent(lines[above]!) || countIndent(lines[above]!) > narrowest) continue;
    narrowest = countIndent(lines[above]!);
    collect(lines[above]!);
  }
  const below = lines.slice(line + 1).find(isContent) ?? "";
  collect(below);
  const own = countIndent(lines[line]!);
  // What follows the hyphens of an item is aligned with its next line.
  const hyphens = /^ *((?:- +)*)/.exec(lines[line]!)![1]!.length;
  if (countIndent(below) >= hyphens) columns.add(countIndent(below) - hyphens);
  return [...columns.add(0)].filter((column) => column !== own)
    .sort((a, b) => Math.abs(a - own) - Math.abs(b - own));
}

/** The end of the lines that are indented like one or more, directly below it. */
function blockEnd(lines: readonly string[], line: number): number {
  const own = countIndent(lines[line]!);
  let end = line + 1;
  while (end < lines.length && (!isContent(lines[end]!) || countIndent(lines[end]!) >= own)) end++;
  return end;
}

/** True if a line would be part of a text over several lines if it started in a column. */
function isInText(lines: readonly string[], line: number, column: number): boolean {
  let narrowest = column;
  for (let above = line - 1; above >= 0 && narrowest > 0; above--) {
    const text = lines[above]!;
    if (!isContent(text) || countIndent(text) >= narrowest) continue;
    if (/[|>][+-]?\d?\s*$/.test(text)) return true;
    narrowest = countIndent(text);
  }
  return false;
}

export function* listIndents(lines: readonly string[], line: number): Generator<Suspect> {
  const own = countIndent(lines[line]!);
  const columns = listColumns(lines, line);
  const end = blockEnd(lines, line);
  for (const last of new Set([line + 1, end])) {
    for (const column of columns) {
      if (column > own && isInText(lines, line, column)) continue;
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
export function* listStray(lines: readonly string[], line: number): Generator<Suspect> {
  const text = lines[line]!;
  if (/[\p{L}\p{N}]/u.test(text)) return;
  const message = `${JSON.stringify(text.trim())} means nothing here: remove it`;
  yield { line, column: text.search(/\S/), message, repaired: lines.with(line, "") };
}

/** A line whose key above it is missing. */
export function* listLostKeys(lines: readonly string[], line: number): Generator<Suspect> {
  const own = countIndent(lines[line]!);
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
export function* listUnquoted(lines: readonly string[], line: number): Generator<Suspect> {
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
