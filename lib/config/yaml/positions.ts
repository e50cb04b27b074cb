import {
  type Alias,
  type Document,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  parseDocument,
  visit,
  type YAMLParseError,
} from "yaml";
import type { Problem } from "../../io/problem.ts";

const TAB = "a tab does not indent in YAML: use spaces";

/**
 * Adds the line and column of its place to each problem: the key or item that its path leads to, else the
 * nearest one around it. The `yaml` package is loaded only if there is a problem.
 */
export function locate(problems: readonly Problem[], text: string): Problem[] {
  const { document, placeOf } = parseText(text);
  // The other parser accepts such indentation, but most other problems follow from it.
  const tab = document.errors.find(({ code }) => code === "TAB_AS_INDENT");
  if (tab !== undefined) return [problemAt(placeOf(tab.pos[0]), TAB)];
  return problems.map(({ offset, ...problem }) => {
    const node = document.getIn(problem.path, true);
    if (problem.line !== undefined) return problem;
    const within = offset === undefined ? undefined : offsetWithin(node, text, offset);
    const place = placeOf(within ?? offsetOf(document, problem.path));
    const end = isScalar(node) && node.type === "PLAIN" ? placeOf(node.range![1]) : undefined;
    const isContinued = end !== undefined && end.line > placeOf(startOf(node)!).line;
    const hint = isContinued ? `; this text continues in line ${end.line}` : "";
    return { ...problem, ...place, message: problem.message + hint };
  });
}

/**
 * Parses a text that the other parser rejects. A text whose only fault is a tag that is not known, such as
 * `!include`, is read without the tag. `message` is the other parser's, used if this one finds no fault.
 */
export function readWithPositions(
  text: string,
  message: string,
): { document?: unknown; problems: Problem[] } {
  const { document, placeOf } = parseText(text);
  for (const [pattern, message] of UNREADABLE) {
    const offset = text.search(pattern);
    if (offset !== -1) return { problems: [problemAt(placeOf(offset), message)] };
  }
  const alias = findUnresolvedAlias(document);
  const [first, ...others] = document.errors;
  if (alias !== undefined && (first === undefined || alias.range![0] < first.pos[0])) {
    const problem =
      `"*${alias.source}" refers to an anchor &${alias.source}, which does not exist; a text that starts with * must be quoted`;
    return { problems: [problemAt(placeOf(alias.range![0]), problem)] };
  }
  if (first !== undefined) {
    // After another error, further ones mostly follow from it.
    const repeated = first.code === "DUPLICATE_KEY"
      ? others.filter(({ code }) => code === first.code)
      : [];
    const problems = [first, ...repeated].map((error) => {
      const { offset, message } = describe(error, document, text, placeOf);
      return problemAt(placeOf(offset), message);
    });
    return { problems };
  }
  if (document.warnings.length === 0) {
    return { problems: [problemAt({ line: 1, column: 1 }, message.split(/ at line |\n/)[0]!)] };
  }
  const problems = document.warnings.map(({ pos: [offset], message }): Problem => {
    const tag = message.replace(/^Unresolved tag: /, "");
    const reason = `the tag ${tag} means nothing here, and is passed over`;
    return { ...problemAt(placeOf(offset), reason), severity: "warning" };
  });
  return { document: document.toJS({ maxAliasCount: -1 }), problems };
}

interface Place {
  line: number;
  column: number;
}

function parseText(text: string) {
  const lineCounter = new LineCounter();
  const document = parseDocument(text, { lineCounter, prettyErrors: false });
  const placeOf = (offset: number): Place => {
    const { line, col } = lineCounter.linePos(offset);
    return { line: Math.max(line, 1), column: Math.max(col, 1) };
  };
  return { document, placeOf };
}

function problemAt(place: Place, message: string): Problem {
  return { severity: "error", path: [], message, ...place };
}

/** Texts that are no YAML at all. */
const UNREADABLE: readonly [pattern: RegExp, message: string][] = [
  [/[^\P{Cc}\t\n\r\u0085]|[\ufffe\uffff]/u, "a control character, which YAML does not allow"],
  [/^(?:<{7}|>{7})(?: |\r?$)/m, "a merge conflict is not resolved here"],
];

const NO_KEY =
  'expected "key: value" or "- item": a colon or a hyphen, and a space, are missing; a comment starts with #';

/** Messages for the error codes of the parser, by what its own message contains; the first that fits counts. */
const SYNTAX_ERRORS: readonly [code: YAMLParseError["code"], detail: string, message: string][] = [
  [
    "BAD_DQ_ESCAPE",
    "",
    "this backslash has no meaning between double quotes: double it, or use single quotes",
  ],
  ["BAD_INDENT", "", "this line is indented differently from those it belongs to"],
  ["BAD_ALIAS", "", "a text that starts with & or * must be quoted"],
  ["BLOCK_AS_IMPLICIT_KEY", "sequence", "a list needs a key of its own on the line above it"],
  [
    "BLOCK_AS_IMPLICIT_KEY",
    "",
    'a text with ": " in it must be quoted, or this line is indented wrongly',
  ],
  ["MISSING_CHAR", "map values", NO_KEY],
  [
    "MISSING_CHAR",
    "item without -",
    'this line is in a list and has no "- ": indent it like the key before it',
  ],
  ["MULTILINE_IMPLICIT_KEY", "", NO_KEY],
  ["MULTIPLE_ANCHORS", "", "a text that starts with & or * must be quoted"],
  ["MULTIPLE_DOCS", "", "a second document starts here, only one can be read"],
  ["TAB_AS_INDENT", "", TAB],
  ["UNEXPECTED_TOKEN", "same line with key", "a list starts on the line below its key"],
  ["UNEXPECTED_TOKEN", "", "this does not belong to the value before it: quote the whole value"],
];

/** The message of a syntax error with its cure, and where it starts. */
function describe(
  { code, message: detail, pos: [start] }: YAMLParseError,
  document: Document.Parsed,
  text: string,
  placeOf: (offset: number) => Place,
): { offset: number; message: string } {
  const offset = start + /^\s*(?=\S)|/.exec(text.slice(start))![0].length;
  if (code === "DUPLICATE_KEY") {
    const { key, first } = findRepeatedKey(document, offset);
    const { line, column } = placeOf(first);
    const message =
      `the key "${key}" is already set in line ${line}, column ${column}: remove one of the two`;
    return { offset, message };
  }
  if (code === "BAD_SCALAR_START") {
    return { offset, message: `a text that starts with ${text[offset]} must be quoted` };
  }
  if (/Missing closing/.test(detail)) {
    const message = "the quote that opens here is never closed";
    return { offset: findOpening(document, text, offset, `"'`), message };
  }
  const [, close] = /end with an? ([\]}])/.exec(detail) ?? [];
  if (close !== undefined) {
    const open = close === "]" ? "[" : "{";
    const message = `the ${open} that opens here is never closed: ${close} is missing`;
    return { offset: findOpening(document, text, offset, open), message };
  }
  const known = SYNTAX_ERRORS.find(([own, part]) => own === code && detail.includes(part));
  return { offset, message: known?.[2] ?? detail };
}

/** Start of the innermost node at an offset that one of these characters opens. */
function findOpening(
  document: Document.Parsed,
  text: string,
  offset: number,
  opens: string,
): number {
  let start = offset;
  visit(document, {
    Node(_, { range }) {
      if (!range || !opens.includes(text[range[0]]!)) return;
      if (range[0] <= offset && range[2] >= offset) start = range[0];
    },
  });
  return start;
}

/** The key at an offset that its map has already, and where the first one is. */
function findRepeatedKey(
  document: Document.Parsed,
  second: number,
): { key: string; first: number } {
  let found = { key: "", first: second };
  visit(document, {
    Map(_, { items }) {
      if (!items.some(({ key }) => startOf(key) === second)) return;
      const key = String(items.find(({ key }) => startOf(key) === second)!.key);
      const first = startOf(items.find((item) => String(item.key) === key)!.key) ?? second;
      found = { key, first };
    },
  });
  return found;
}

/** Finds an alias of an anchor that does not exist. */
function findUnresolvedAlias(document: Document.Parsed): Alias.Parsed | undefined {
  let found: Alias.Parsed | undefined;
  visit(document, {
    Alias(_, alias) {
      if (alias.resolve(document) !== undefined) return;
      found = alias as Alias.Parsed;
      return visit.BREAK;
    },
  });
  return found;
}

/** Start of the deepest key or item on a path that exists; 0 if not even the first one does. */
function offsetOf(document: Document.Parsed, path: Problem["path"]): number {
  let node: unknown = document.contents;
  let offset = 0;
  for (const key of path) {
    let next: unknown;
    if (isMap(node)) {
      const pair = node.items.find((item) => String(item.key) === String(key));
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

/** Offset in the file of a character of a scalar; of the scalar's start if its source differs from its value. */
function offsetWithin(node: unknown, text: string, offset: number): number | undefined {
  if (!isScalar(node) || !node.range) return undefined;
  const [start, end] = node.range;
  const quote = node.type?.startsWith("QUOTE") ? 1 : 0;
  const isAsWritten = text.slice(start + quote, end - quote) === node.value;
  return isAsWritten ? start + quote + offset : start;
}

function startOf(node: unknown): number | undefined {
  return (node as Node | undefined | null)?.range?.[0];
}
