import { isMap, isPair, isSeq, LineCounter, type Node, parseDocument, visit } from "yaml";
import type { YAMLParseError } from "yaml";
import type { Problem } from "./problem.ts";

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
  return told.concat(problems.map((problem) => ({
    ...placeOf(offsetOf(document.contents, problem.path)),
    ...problem,
  })));
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
  const told = document.errors.filter(({ code }, index) => index === 0 || code === "DUPLICATE_KEY");
  const problems = told.map((error) => problemAt(error.pos[0], wordsOf(error, text)));
  if (problems.length > 0) return problems;
  visit(document, {
    Alias(_, node) {
      if (node.resolve(document) !== undefined) return;
      const found = JSON.stringify(`*${node.source}`);
      problems.push(problemAt(startOf(node)!, `${found} means something else in YAML: quote it`));
    },
  });
  return problems.length > 0 ? problems : [placed(message)];
}

function wordsOf({ code, message, pos }: YAMLParseError, text: string): string {
  if (code === "DUPLICATE_KEY") {
    const key = /^[^:\n]*/.exec(text.slice(pos[0]))![0].trim();
    return `the key "${key}" stands twice`;
  }
  return code === "MULTIPLE_DOCS" ? "a second document begins here, only one can be read" : message;
}

/** A message of the other parser, that has the place in its words and a picture below them. */
function placed(text: string): Problem {
  const [message, line, column] = /^(.*?) at line (\d+), column (\d+)/.exec(text)?.slice(1) ??
    [text];
  return {
    severity: "error",
    path: [],
    message: message!,
    line: Number(line ?? 1),
    column: Number(column ?? 1),
  };
}
