import { isMap, isPair, isSeq, LineCounter, type Node, parseDocument } from "yaml";
import type { Problem } from "./problem.ts";

/**
 * Problems with the line and column of the place in the text they are about: a key where the path
 * names one that is there, else the nearest thing around it. Loaded only where there is a problem.
 */
export function locate(problems: readonly Problem[], text: string): Problem[] {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, uniqueKeys: false });
  return problems.map((problem) => {
    if (problem.line !== undefined) return problem;
    const { line, col } = lines.linePos(offsetOf(document.contents, problem.path));
    return { ...problem, line, column: col };
  });
}

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
 * others mostly follow from it, and every key that stands twice.
 */
export function syntaxProblems(text: string): Problem[] {
  const lines = new LineCounter();
  const { errors } = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const told = errors.filter((error, index) => index === 0 || error.code === "DUPLICATE_KEY");
  return told.map((error) => {
    const { line, col } = lines.linePos(error.pos[0]);
    const key = /^[^:\n]*/.exec(text.slice(error.pos[0]))![0].trim();
    const message = error.code === "DUPLICATE_KEY"
      ? `the key "${key}" stands twice`
      : error.message;
    return { severity: "error", path: [], message, line, column: col };
  });
}
