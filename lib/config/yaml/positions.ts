import {
  type Document,
  isAlias,
  isMap,
  isSeq,
  LineCounter,
  type Node,
  type Pair,
  parseDocument,
  visit,
  type YAMLMap,
  type YAMLParseError,
} from "yaml";
import * as v from "valibot";
import type { Problem } from "../../io/problem.ts";
import { isMap as isRecord } from "../document.ts";
import { KNOWN_TOP_KEYS } from "../keys/key_tables.ts";
import { rewriteCase } from "../keys/letter_case.ts";
import { surveyKeys } from "../survey.ts";
import { rewriteSpellings } from "../upptime/spellings.ts";
import { findMisreading, findMistake, listDoubtful, type Parsed } from "./mistakes.ts";
import type { Mistake } from "./suspects.ts";
import { parseYaml } from "./parse_yaml.ts";

/** Adds line and column to each problem: of the key or item of its path, else of the nearest one around it. */
export function locate(problems: readonly Problem[], text: string): Problem[] {
  const { document, toPlace } = parseText(text);
  // The other parser accepts such indentation, but most other problems follow from it.
  const tab = document.errors.find(({ code }) => code === "TAB_AS_INDENT");
  if (tab !== undefined) {
    const message = SYNTAX_ERRORS.TAB_AS_INDENT!;
    return [{ severity: "error", path: [], message, ...toPlace(tab.pos[0]) }];
  }
  const placed = problems.map((problem) =>
    problem.line === undefined
      ? { ...problem, ...toPlace(findOffset(document, problem.path, text)) }
      : problem
  );
  return text.length > LONGEST ? placed : withMisreadings(placed, text);
}

/** Lines with problems that are looked at for a mistake of YAML. */
const MOST_LINES = 20;

/** Replaces problems that follow from a mistake of YAML by that mistake, and adds those that nothing else shows. */
function withMisreadings(problems: readonly Problem[], text: string): Problem[] {
  const lines = text.split(/\r?\n/);
  const ofProblems = problems.filter(({ severity }) => severity !== "notice")
    .map(({ line }) => line! - 1);
  const all = [...new Set([...listDoubtful(lines), ...ofProblems])].slice(0, MOST_LINES);
  const found = new Map(all.map((line) => [line + 1, findMisreading(lines, line, parseRepaired)]));
  const isReplaced = ({ severity, line }: Problem) =>
    severity !== "notice" && found.get(line!) !== undefined;
  const byPlace = new Map(
    [...found.values()].flatMap((mistake) =>
      mistake === undefined ? [] : [[key(mistake), mistake]]
    ),
  );
  const mistakes = [...byPlace].map(([place, { message, line, column }]): Problem => {
    const followed = problems.filter((one) =>
      isReplaced(one) && key(found.get(one.line!)!) === place
    );
    const worst = followed.find(({ severity }) => severity === "error") ?? followed[0];
    const rest = worst ?? { severity: "error", path: [] };
    return { ...rest, message, line: line + 1, column: column + 1 };
  });
  return [...problems.filter((one) => !isReplaced(one)), ...mistakes];
}

function key({ line, column }: Mistake): string {
  return `${line}:${column}`;
}

/**
 * Finds the syntax error in a text; later ones mostly follow from the first. `line` is where the parser gave up.
 * `undefined` if this other parser finds none.
 */
export function findSyntaxError(text: string, line: number): Problem | undefined {
  const { document, toPlace } = parseText(text);
  const [error] = document.errors;
  if (error === undefined) return undefined;
  const problem = (message: string, place: { line: number; column: number }): Problem => (
    { severity: "error", path: [], message, ...place }
  );
  const conflict = text.search(/^(?:<{7}|>{7}) /m);
  if (conflict >= 0) {
    const message = "a merge conflict starts here: keep one of its sides, without the markers";
    return problem(message, toPlace(conflict));
  }
  const { code, message, pos: [start] } = error;
  const offset = start + BLANK_OR_COMMENTS.exec(text.slice(start))![0].length;
  const place = toPlace(offset);
  const lines = text.split("\n");
  const tab = [place.line, line, line - 1].find((at) => /^ *\t\s*\S/.test(lines[at - 1] ?? ""));
  if (tab !== undefined) {
    const column = lines[tab - 1]!.indexOf("\t") + 1;
    return problem(SYNTAX_ERRORS.TAB_AS_INDENT!, { line: tab, column });
  }
  if (code === "DUPLICATE_KEY") return problem(describeDuplicate(document, offset, toPlace), place);
  const mistake = PLAIN_CODES.includes(code) || text.length > LONGEST
    ? undefined
    : findMistake(text, [place.line - 1, line - 1], parseRepaired);
  const [, quote, bracket] = /^Missing closing (["'])|end with an? ([\]}])/.exec(message) ?? [];
  const opens = quote ?? (bracket === undefined ? undefined : bracket === "]" ? "[" : "{");
  if (
    mistake !== undefined &&
    (mistake.isCertain || opens === undefined || mistake.message.endsWith("never closed"))
  ) {
    const { line, column } = mistake;
    return problem(mistake.message, { line: line + 1, column: column + 1 });
  }
  return opens === undefined ? problem(SYNTAX_ERRORS[code] ?? message, place) : problem(
    `the ${opens} that opens here is never closed`,
    toPlace(findOpening(document, text, offset, opens)),
  );
}

/** Errors whose place and cure are certain. */
const PLAIN_CODES = ["TAB_AS_INDENT", "MULTIPLE_DOCS", "BAD_DQ_ESCAPE"];

const BLANK_OR_COMMENTS = /^(?:\s*(?:#.*(?:\n|$))?)*(?=\S|$)/;

/** Characters of the longest text of which repairs are tried, as each one is parsed as a whole. */
const LONGEST = 100_000;

function parseRepaired(text: string): Parsed {
  const { document, fault } = parseYaml(text);
  if (fault !== undefined) {
    return { error: fault.line - 1, countMisfits: () => Infinity, countParts: () => 0 };
  }
  const { document: rewritten } = rewriteSpellings(rewriteCase(document).document);
  return {
    countMisfits: () => {
      if (!isRecord(rewritten)) return Infinity;
      const { sites, i18n } = rewritten;
      const texts = isRecord(i18n) ? Object.keys(i18n) : [];
      return surveyKeys(rewritten, {}).length + countMisshapen(rewritten) +
        (sites === undefined ? 1 : 0) +
        texts.filter((key) => /[^\w.]/.test(key)).length;
    },
    countParts: () => countParts(document),
  };
}

/** Counts the values that can't be what their keys take. */
function countMisshapen(document: Readonly<Record<string, unknown>>): number {
  return v.safeParse(KNOWN_TOP, document).issues?.length ?? 0;
}

const KNOWN_TOP = v.object(KNOWN_TOP_KEYS);

/** Counts the keys and items of a document; of shared parts once. */
function countParts(value: unknown, seen = new Set<object>()): number {
  if (typeof value !== "object" || value === null || seen.has(value)) return 0;
  seen.add(value);
  return Object.values(value).reduce((sum: number, part) => sum + 1 + countParts(part, seen), 0);
}

/** Names a key that is set twice, and the line of the first. */
function describeDuplicate(
  document: Document,
  offset: number,
  toPlace: (offset: number) => { line: number },
): string {
  let first: { key: string; line: number; isOfItem: boolean } | undefined;
  visit(document, {
    Map(_, { items }, parents) {
      const again = items.find(({ key }) => (key as Node | null)?.range?.[0] === offset);
      if (again === undefined) return;
      const key = String(again.key);
      const before = items.find((item) => String(item.key) === key)!;
      const { line } = toPlace((before.key as Node).range![0]);
      first = { key, line, isOfItem: isSeq(parents.at(-1)) };
      return visit.BREAK;
    },
  });
  if (first === undefined) return "this key is already set above: remove one of the two";
  const { key, line, isOfItem } = first;
  const cure = isOfItem ? ', or start an item of its own with "- "' : "";
  return `"${key}" is already set in line ${line}: remove one of the two${cure}`;
}

/** The place of a key with its value, or of an item with its hyphen, in a text, in characters. */
export interface KeySpan {
  start: number;
  /** Without white space and comments after the value. */
  end: number;
  /** True if it is written between brackets. */
  isFlow: boolean;
}

export function findKey(text: string, path: Problem["path"]): KeySpan | undefined {
  return findKeys(text, [path])[0];
}

/** {@linkcode findKey} for several paths; a key that is merged by `<<` is found where it is written. */
export function findKeys(
  text: string,
  paths: readonly Problem["path"][],
): (KeySpan | undefined)[] {
  const { document } = parseText(text);
  const resolve = (node: unknown) => isAlias(node) ? node.resolve(document) : node;
  const findPair = (map: YAMLMap, key: string): Pair | undefined =>
    map.items.find((item) => String(item.key) === key) ??
      map.items.filter((item) => String(item.key) === "<<").map(({ value }) => resolve(value))
        .flatMap((value) => isSeq(value) ? value.items.map(resolve) : [value])
        .flatMap((merged) => isMap(merged) ? findPair(merged, key) ?? [] : [])[0];
  const findSpan = (path: Problem["path"]): KeySpan | undefined => {
    let last: unknown = document.contents;
    let start: number | undefined;
    let isFlow = false;
    for (const key of path) {
      const parent = resolve(last);
      if (!isMap(parent) && !isSeq(parent)) return undefined;
      const pair = isMap(parent) ? findPair(parent, String(key)) : undefined;
      const first = isSeq(parent) ? parent.items[Number(key)] : pair?.key;
      const range = (first as Node | undefined)?.range;
      if (!range) return undefined;
      isFlow = parent.flow === true;
      start = isSeq(parent) && !isFlow ? text.lastIndexOf("-", range[0] - 1) : range[0];
      last = (pair === undefined ? first : pair.value) ?? first;
    }
    if (start === undefined) return undefined;
    return { start, end: text.slice(0, (last as Node).range?.[1]).trimEnd().length, isFlow };
  };
  return paths.map(findSpan);
}

function parseText(text: string) {
  const lineCounter = new LineCounter();
  const document = parseDocument(text, { lineCounter, prettyErrors: false });
  const toPlace = (offset: number) => {
    const { line, col } = lineCounter.linePos(offset);
    return { line: Math.max(line, 1), column: Math.max(col, 1) };
  };
  return { document, toPlace };
}

const NO_KEY =
  'expected "key: value" or "- item": a colon or a hyphen, and a space, are missing; a comment starts with #';
const UNQUOTED = "a text that starts with a special character must be quoted";

const SYNTAX_ERRORS: Partial<Record<YAMLParseError["code"], string>> = {
  BAD_ALIAS: UNQUOTED,
  BAD_DQ_ESCAPE:
    "this backslash has no meaning between double quotes: double it, or use single quotes",
  BAD_INDENT: "this line is indented differently from those it belongs to",
  BAD_SCALAR_START: UNQUOTED,
  BLOCK_AS_IMPLICIT_KEY:
    'a text with ": " in it must be quoted, a list needs a key of its own on the line above it, or this line is indented wrongly',
  DUPLICATE_KEY: "this key is already set above: remove one of the two",
  MISSING_CHAR: NO_KEY,
  MULTILINE_IMPLICIT_KEY: NO_KEY,
  MULTIPLE_ANCHORS: UNQUOTED,
  MULTIPLE_DOCS: "a second document starts here, only one can be read",
  TAB_AS_INDENT: "a tab does not indent in YAML: use spaces",
  UNEXPECTED_TOKEN:
    "this does not belong to the value before it: quote the whole value, or start a list on its own line",
};

/** Start of the innermost node at an offset that this character opens. */
function findOpening(document: Document, text: string, offset: number, opens: string): number {
  let start = offset;
  visit(document, {
    Node(_, { range }) {
      if (range && text[range[0]] === opens && range[0] <= offset && range[2] >= offset) {
        start = range[0];
      }
    },
  });
  return start;
}

/**
 * Start of the deepest key or item on a path that exists; 0 if not even the first one does. This parser may have
 * given up before a key of the top level.
 */
function findOffset(document: Document, path: Problem["path"], text: string): number {
  let node: unknown = document.contents;
  let offset = document.errors.length === 0 || path.length === 0
    ? 0
    : Math.max(0, `\n${text}`.indexOf(`\n${path[0]}:`));
  for (const key of path) {
    let place: unknown;
    if (isMap(node)) {
      const pair = node.items.find((item) => String(item.key) === String(key));
      place = pair?.key;
      node = pair?.value;
    } else place = node = isSeq(node) ? node.items[Number(key)] : undefined;
    offset = (place as Node | undefined)?.range?.[0] ?? offset;
  }
  return offset;
}
