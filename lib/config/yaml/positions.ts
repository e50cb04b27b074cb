import {
  type Document,
  isCollection,
  isMap,
  isPair,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  parseDocument,
  visit,
  type YAMLParseError,
} from "yaml";
import { parse } from "@std/yaml";
import type { Problem } from "../../io/problem.ts";
import { placeWithin } from "./place_within.ts";
import { TAB } from "./wrong_characters.ts";

/**
 * Adds to problems the line and column of the place in the text they are about: a key where the path
 * names one that is there, else the nearest thing around it. Loaded only where there is a problem.
 */
export function locate(problems: readonly Problem[], text: string): Problem[] {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, uniqueKeys: false });
  const placeOf = (offset: number) => {
    const { line, col } = lines.linePos(offset);
    return { line, column: col };
  };
  // The other parser indents by tabs, but not as it looks: most other problems follow from that.
  const tab = document.errors.find(({ code }) => code === "TAB_AS_INDENT");
  if (tab !== undefined) {
    return [{ severity: "error", path: [], message: TAB, ...placeOf(tab.pos[0]) }];
  }
  const placed = problems.map(({ offset, ...problem }): Placed => {
    const node = document.getIn(problem.path, true);
    const within = offset === undefined ? undefined : placeWithin(node, text, offset);
    const own = within ?? offsetOf(document.contents, problem.path) ??
      offsetOfLine(text, problem.path);
    const place = placeOf(own ?? 0);
    return { ...place, ...problem, message: problem.message + continuation(node, text, lines) };
  });
  return withCommentedKeys(placed, text.split("\n"));
}

type Placed = Problem & { line: number; column: number };

/**
 * Replaces the problems of a block whose key is commented out by one at the comment: its lines belong to
 * what stands above now, where nobody knows them.
 */
function withCommentedKeys(problems: readonly Placed[], lines: readonly string[]): Problem[] {
  const comments = new Map<number, Problem>();
  const end = (from: number, indent: string) => {
    const next = lines.findIndex((line, at) =>
      at > from && /^\s*[^\s#]/.test(line) && !line.startsWith(indent)
    );
    return next === -1 ? lines.length : next;
  };
  const covered: { from: number; to: number; indent: number }[] = [];
  for (const { line, column, severity, message: reported } of problems) {
    const comment = reported.startsWith("expected a list")
      ? /^(\s*)#\s*((?:- +)?[\w-]+):(?:\s|$)/
      : /^(\s*)#\s*([\w-]+):\s*$/;
    const [, before, key] = comment.exec(lines[line - 2] ?? "") ?? [];
    const indent = /^\s*/.exec(lines[line - 1]!)![0];
    if (before === undefined || severity === "notice" || column > indent.length + 3) continue;
    const message =
      `"${key}:" is commented out, but lines below belong to it: remove the #, or comment them out too`;
    const place = { line: line - 1, column: before.length + 1 };
    comments.set(line, { severity: "error", path: [], message, ...place });
    covered.push({ from: line, to: end(line - 1, indent), indent: indent.length });
  }
  const isCovered = ({ line, column }: Placed) =>
    covered.some(({ from, to, indent }) =>
      from <= line && line <= to && (column === indent + 1 || column === indent + 3)
    );
  const isMissing = ({ message }: Problem) =>
    [...comments.values()].some((comment) =>
      message.startsWith(comment.message.slice(1, comment.message.indexOf('"', 1)) + " is missing")
    );
  return [
    ...problems.filter((problem) => !isCovered(problem) && !isMissing(problem)),
    ...comments.values(),
  ];
}

/** Explains that a text continues on the next line, which is often not intended. */
function continuation(node: unknown, text: string, lines: LineCounter): string {
  if (!isScalar(node) || node.type !== "PLAIN" || !node.range) return "";
  const [start, end] = node.range;
  return text.slice(start, end).includes("\n")
    ? `; this text continues in line ${lines.linePos(start).line + 1}`
    : "";
}

/** Start of the key at the top level, for texts that one of the two parsers can't read to the end. */
function offsetOfLine(text: string, [key]: Problem["path"]): number | undefined {
  if (typeof key !== "string") return undefined;
  const start = text.startsWith(`${key}:`) ? 0 : text.indexOf(`\n${key}:`) + 1;
  return start === 0 ? undefined : start;
}

/** Start of the deepest key or item on a path; `undefined` if not even the first one is there. */
function offsetOf(root: Node | null, path: Problem["path"]): number | undefined {
  let node: unknown = root;
  let offset: number | undefined;
  for (const key of path) {
    let next: unknown;
    if (isMap(node)) {
      const pair = node.items.find((item) => isPair(item) && String(item.key) === String(key));
      offset = startOf(pair?.key) ?? offset;
      next = pair?.value;
    } else if (isSeq(node)) {
      next = node.items[Number(key)];
      offset = startOf(next) ?? offset;
    }
    if (next === undefined || next === null) break;
    node = next;
  }
  return offset;
}

function startOf(node: unknown): number | undefined {
  return (node as Node | undefined)?.range?.[0];
}

/** Reads what stands in a text at a path, as it is written there. */
export function sourceReader(text: string): (path: Problem["path"]) => string | undefined {
  const document = parseDocument(text, { uniqueKeys: false });
  return (path) => {
    const node = document.getIn(path, true);
    return isScalar(node) ? node.source : undefined;
  };
}

/**
 * Reads a text that only has tags nobody knows, such as `!include`: what they stand before is taken as
 * it is, and each is told. `undefined` where something else is wrong with the text.
 */
export function readLeniently(
  text: string,
): { document: unknown; problems: Problem[] } | undefined {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  if (document.errors.length > 0 || document.warnings.length === 0) return undefined;
  const problems = document.warnings.map(({ pos: [offset], message }): Problem => {
    const { line, col } = lines.linePos(offset);
    const tag = message.replace(/^Unresolved tag: /, "");
    return {
      severity: "warning",
      path: [],
      message: `the tag ${tag} means nothing here, and is passed over`,
      line,
      column: col,
    };
  });
  try {
    return { document: document.toJS({ maxAliasCount: -1 }), problems };
  } catch (error) {
    if (error instanceof ReferenceError) return undefined;
    throw error;
  }
}

/** Reason why a text is not YAML. */
interface SyntaxFault {
  /** Start of what the error is about. */
  offset: number;
  /** Line at which the text can't be read any further, from 0. */
  line: number;
  message: string;
  /** True for an alias of an anchor that does not exist: whatever is left out cures that. */
  isAlias?: boolean;
}

function parseText(text: string): Document.Parsed {
  return parseDocument(text, { prettyErrors: false });
}

/** True if the parser of configurations, which is more lenient, takes a text apart from repeated keys. */
function canBeRead(text: string): boolean {
  try {
    parse(text, { schema: "core", allowDuplicateKeys: true });
    return true;
  } catch {
    return false;
  }
}

/** The first error of a text, keys that stand twice apart. */
export function firstError(text: string): SyntaxFault | undefined {
  const document = parseText(text);
  const error = document.errors.find(({ code }) => code !== "DUPLICATE_KEY");
  let alias: SyntaxFault | undefined;
  visit(document, {
    Alias(_, node) {
      if (node.resolve(document) !== undefined) return;
      const offset = node.range![0];
      alias = {
        offset,
        line: lineAndColumn(text, offset).line - 1,
        message:
          `"*${node.source}" refers to an anchor &${node.source}, which does not exist; a text that starts with * must be quoted`,
        isAlias: true,
      };
      return visit.BREAK;
    },
  });
  if (error === undefined || (alias !== undefined && alias.offset < error.pos[0])) return alias;
  if (canBeRead(text)) return undefined;
  return {
    offset: beginning(error, document),
    line: lineAndColumn(text, error.pos[0]).line - 1,
    message: syntaxWords(error, text),
  };
}

/** A key that a map has twice, with the offsets of both. */
export interface Repeat {
  key: string;
  first: number;
  second: number;
  areMaps: boolean;
  place: string;
}

/** The keys that stand twice, in the order of the second. */
export function repeatsIn(text: string): Repeat[] {
  const document = parseText(text);
  const seconds = document.errors.filter(({ code }) => code === "DUPLICATE_KEY").map(({ pos }) =>
    pos[0]
  );
  const repeats: Repeat[] = [];
  visit(document, {
    Map(_, { items }) {
      for (const { key, value } of items) {
        const second = startOf(key);
        if (second === undefined || !seconds.includes(second)) continue;
        const name = String(key);
        const other = items.find((item) => String(item.key) === name)!;
        const first = startOf(other.key)!;
        const { line, column } = lineAndColumn(text, first);
        const areMaps = isMap(value) && isMap(other.value);
        const place = `line ${line}, column ${column}`;
        repeats.push({ key: name, first, second, areMaps, place });
      }
    },
  });
  return repeats.sort((a, b) => a.second - b.second);
}

/** The parser's errors in other words, by what it says of them. */
const WORDS: readonly [said: RegExp, words: string][] = [
  [/second document|multiple documents/i, "a second document starts here, only one can be read"],
  [
    /must start at the same column|block sequence may not be/,
    "this line is indented differently from those it belongs to",
  ],
  [
    /Sequence item without -/,
    'this line is in a list and has no "- ": indent it like the key before it',
  ],
  [/Nested mappings/, 'a text with ": " in it must be quoted, or this line is indented wrongly'],
  [/single line|followed by map values/, 'expected "key: value": a colon and a space are missing'],
  [/Unexpected scalar at node end/, "the text continues after its end: quote the whole of it"],
  [/Missing closing ["']/, "the quote that opens here is never closed"],
  [/end with a \]/, "the [ that opens here is never closed: ] is missing"],
  [/end with a \}/, "the { that opens here is never closed: } is missing"],
  [/tab/i, TAB],
];

/** An error of the parser in the words of the person who wrote the text. */
function syntaxWords({ code, message, pos: [offset] }: YAMLParseError, text: string): string {
  if (code === "BAD_SCALAR_START") return `a text that starts with ${text[offset]} must be quoted`;
  return WORDS.find(([said]) => said.test(message))?.[1] ?? message;
}

/** Start of what an error is about: the parser reports the end of a quote or bracket that is never closed. */
function beginning({ message, pos: [offset] }: YAMLParseError, document: Document.Parsed): number {
  const isQuote = message.startsWith("Missing closing");
  if (!isQuote && !/end with a [\]}]/.test(message)) return offset;
  let start = offset;
  visit(document, {
    Node(_, node) {
      const opens = isQuote
        ? isScalar(node) && node.type?.startsWith("QUOTE")
        : isCollection(node) && node.flow;
      if (opens && node.range && node.range[0] <= offset && node.range[2] >= offset) {
        start = node.range[0];
      }
    },
  });
  return start;
}

/** Line and column of an offset, from 1. */
export function lineAndColumn(text: string, offset: number): { line: number; column: number } {
  const before = text.slice(0, offset).split("\n");
  return { line: before.length, column: before.at(-1)!.length + 1 };
}

/** A text with its offsets, including quotes. */
export interface TextPlace {
  isKey: boolean;
  isQuoted: boolean;
  start: number;
  end: number;
}

/** All texts on one or several lines, except those below `|` and `>`. */
export function textPlaces(text: string): TextPlace[] {
  const found: TextPlace[] = [];
  visit(parseText(text), {
    Scalar(key, { type, range }) {
      const isQuoted = type?.startsWith("QUOTE") ?? false;
      if (!range || (type !== "PLAIN" && !isQuoted)) return;
      found.push({ isKey: key === "key", isQuoted, start: range[0], end: range[1] });
    },
  });
  return found;
}
