import {
  type Document,
  isMap,
  isPair,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  parseDocument,
  visit,
} from "yaml";
import type { Problem } from "../problem.ts";
import { placeWithin } from "./place_within.ts";
import { type SyntaxFault, syntaxWords } from "./syntax_words.ts";

/**
 * Problems with the line and column of the place in the text they are about: a key where the path
 * names one that is there, else the nearest thing around it. Loaded only where there is a problem.
 */
export function locate(problems: readonly Problem[], text: string): Problem[] {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, uniqueKeys: false });
  const placeOf = (offset: number) => {
    const { line, col } = lines.linePos(offset);
    return { line, column: col };
  };
  const tab = document.errors.find(({ code }) => code === "TAB_AS_INDENT");
  const told: Problem[] = tab === undefined ? [] : [{ ...TAB, ...placeOf(tab.pos[0]) }];
  return told.concat(problems.map(({ offset, ...problem }) => {
    const within = offset === undefined
      ? undefined
      : placeWithin(document.getIn(problem.path, true), text, offset);
    return { ...placeOf(within ?? offsetOf(document.contents, problem.path)), ...problem };
  }));
}

/** Some parsers take a tab for something, but never for what it looks like. */
const TAB: Problem = {
  severity: "warning",
  path: [],
  message: "a tab does not indent in YAML, use blanks",
};

function offsetOf(root: Node | null, path: Problem["path"]): number {
  let node: unknown = root;
  let offset = 0;
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

/**
 * What keeps a text from being YAML at all, with its place, in words: the first error, because the
 * others mostly follow from it, and every key that stands twice. `message` is what the parser said that
 * gave up; it counts where nothing else is found.
 */
export function syntaxProblems(text: string, message: string): Problem[] {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const problemAt = (offset: number, message: string): Problem => {
    const { line, col } = lines.linePos(offset);
    return { severity: "error", path: [], message, line, column: col };
  };
  const unprintable = text.search(UNPRINTABLE);
  if (unprintable !== -1) {
    return [problemAt(unprintable, "a control character, which YAML has none of")];
  }
  const told = document.errors.filter(({ code }, index) => index === 0 || code === "DUPLICATE_KEY");
  const problems = told.map((error) =>
    problemAt(beginning(error, document), syntaxWords(error, text))
  );
  if (problems.length > 0) return problems;
  visit(document, {
    Alias(_, node) {
      if (node.resolve(document) !== undefined) return;
      const { source } = node;
      const message =
        `"*${source}" refers to an anchor &${source} that is not there; a text that begins with * has to be quoted`;
      problems.push(problemAt(startOf(node)!, message));
    },
  });
  return problems.length > 0 ? problems : [placed(message)];
}

/** YAML 1.2, section 5.1: what a stream may not hold. */
const UNPRINTABLE = /[^\P{Cc}\t\n\r\u0085]|[\ufffe\uffff]/u;

/** Where the fault begins: of a quote that is not closed, the parser tells where the text ends. */
function beginning({ message, pos: [offset] }: SyntaxFault, document: Document.Parsed): number {
  if (!message.startsWith("Missing closing")) return offset;
  let start = offset;
  visit(document, {
    Scalar(_, { type, range }) {
      if (type?.startsWith("QUOTE") && range && range[2] >= offset) start = range[0];
    },
  });
  return start;
}

/** A message of the other parser, that has the place in its words and a picture below them. */
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
