import { isDeepStrictEqual } from "node:util";
import { isMap } from "../config/document.ts";
import { findKeys, type KeySpan } from "../config/yaml/positions.ts";
import { readYaml } from "../config/yaml/read_yaml.ts";
import type { Problem } from "../io/problem.ts";

/** A sentence about a change of a configuration. */
export interface Change {
  /** The sentence about it; `of` names the sites that have it, with a blank in front. */
  describe(of: string): string;
  /** The site that has it; absent for keys of the top level. */
  site?: string;
}

/** A key or an item that is switched off, with the line above it that says why. */
export interface Removal {
  path: Problem["path"];
  note: string;
}

/**
 * Switches off as many keys and items as possible: as comments, or, if other keys refer to one, by a name that starts
 * with `x-`. `left` are those that can be neither.
 */
export async function switchOff<T extends Removal>(
  source: string,
  removals: readonly T[],
): Promise<{ text: string; commented: T[]; renamed: T[]; left: T[] }> {
  const result = { text: source, commented: [] as T[], renamed: [] as T[], left: [] as T[] };
  const spans = findKeys(source, removals.map(({ path }) => path));
  // Sites share what they merge. From the end, so that the places of items stay.
  const groups = [...Map.groupBy(removals.keys(), (index) => spans[index]?.start ?? -1 - index)]
    .sort(([one], [other]) => other - one)
    .map(([, indexes]) => indexes.map((index) => removals[index]!));
  const visit = async (some: readonly T[][]): Promise<void> => {
    const all = some.flat();
    const commented = await commentOut(result.text, all);
    if (commented === undefined && some.length > 1) {
      const half = Math.ceil(some.length / 2);
      await visit(some.slice(0, half));
      return await visit(some.slice(half));
    }
    const text = commented ?? await rename(result.text, all);
    const kind = commented !== undefined ? "commented" : text !== undefined ? "renamed" : "left";
    result.text = text ?? result.text;
    result[kind].push(...all);
  };
  if (groups.length > 0) await visit(groups);
  return result;
}

/**
 * Turns keys and items into comments; `undefined` if the text would mean anything else than without them, as if others
 * refer to their anchors.
 */
export async function commentOut(
  text: string,
  removals: readonly Removal[],
): Promise<string | undefined> {
  const found = findKeys(text, removals.map(({ path }) => path));
  const edits: Edit[] = [];
  const done: KeySpan[] = [];
  const order = removals.map(({ note }, index) => ({ note, span: found[index] }))
    .sort((one, other) => (one.span?.start ?? 0) - (other.span?.start ?? 0));
  for (const { note, span } of order) {
    if (span === undefined) {
      return removals.length === 1 ? await commentLine(text, removals[0]!) : undefined;
    }
    if (done.some(({ start, end }) => start <= span.start && span.end <= end)) continue;
    done.push(span);
    const planned = planEdits(text, span, note);
    if (planned === undefined) return undefined;
    edits.push(...planned);
  }
  const edited = apply(text, edits);
  return edited === undefined ? undefined : await verified(text, edited, removals);
}

/** Comments out a key by its line, in texts in which the parser with places finds none. */
async function commentLine(text: string, removal: Removal): Promise<string | undefined> {
  const { path, note } = removal;
  const key = String(path.at(-1));
  for (const { index, 0: lead } of text.matchAll(/^ *(?:- +)*(?=\S)/gm)) {
    const start = index + lead.length;
    if (!text.startsWith(`${key}:`, start)) continue;
    const edits = planEdits(text, { start, end: start + key.length, isFlow: false }, note);
    const edited = edits === undefined ? undefined : apply(text, edits);
    const found = edited === undefined ? undefined : await verified(text, edited, [removal]);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Renames keys, so that they are only there for their anchors. */
async function rename(text: string, removals: readonly Removal[]): Promise<string | undefined> {
  const [{ path }] = removals as [Removal];
  const [span] = findKeys(text, [path]);
  if (span === undefined || typeof path.at(-1) === "number") return undefined;
  const key = span.start + (/["']/.test(text[span.start]!) ? 1 : 0);
  return await verified(text, `${text.slice(0, key)}x-${text.slice(key)}`, removals);
}

interface Edit {
  from: number;
  to: number;
  text: string;
}

function planEdits(
  text: string,
  { start, end, isFlow }: KeySpan,
  note: string,
): Edit[] | undefined {
  const from = text.lastIndexOf("\n", start - 1) + 1;
  const next = text.indexOf("\n", end);
  const to = next === -1 ? text.length : next;
  const lead = text.slice(from, start);
  const [indent] = /^ */.exec(lead)!;
  // What shares its lines with nothing but a comma is a comment where it is; a comma may be left at the end.
  const isAlone = lead === indent && /^[ \t]*,?[ \t\r]*(?:#.*)?$/.test(text.slice(end, to));
  if (isFlow && !isAlone) {
    const [after] = /^\s*,?[ \t]*/.exec(text.slice(end))!;
    const isLast = !after.includes(",");
    const before = isLast ? /(?:,\s*)?$/.exec(lead)![0].length : 0;
    return [
      { from, to: from, text: comment(text, text.slice(start, end), indent, note) },
      { from: start - before, to: isLast ? end : end + after.length, text: "" },
    ];
  }
  // The value may start in its first column, where it ends a line of the comment.
  const own = text.slice(start, to);
  const commented = comment(text, own, lead.replaceAll("-", " "), note, indent).replace(/\n$/, "");
  if (lead === indent) return [{ from, to, text: commented }];
  // The first key of an item leaves its hyphen to the next one.
  const following = new RegExp(`^(?:[ \\t]*(?:#.*)?\\r?\\n)*(?= {${lead.length}}[^\\s#-])`)
    .exec(text.slice(to + 1));
  if (!/^ *(?:- +)+$/.test(lead) || following === null) return undefined;
  const at = to + 1 + following[0].length;
  return [
    { from, to, text: commented },
    { from: at, to: at + lead.length, text: lead },
  ];
}

/** Lines of a comment, each with its line end; those after the first lose the columns of `inner`. */
function comment(text: string, own: string, inner: string, note: string, indent = inner): string {
  const end = text.includes("\r\n") ? "\r\n" : "\n";
  const lines = own.split(/\r?\n/).map((line) =>
    line.startsWith(inner) ? line.slice(inner.length) : line
  );
  return [note, ...lines].map((line) => `${indent}# ${line}`.trimEnd() + end).join("");
}

/** Applies edits, of which only those that remove something may overlap. */
function apply(text: string, edits: readonly Edit[]): string | undefined {
  let result = "";
  let at = 0;
  for (const edit of edits.toSorted((one, other) => one.from - other.from || one.to - other.to)) {
    if (edit.from < at && edit.text !== "") return undefined;
    result += text.slice(at, Math.max(at, edit.from)) + edit.text;
    at = Math.max(at, edit.to);
  }
  return result + text.slice(at);
}

/** The changed text if it means the same as the one before without some keys. */
async function verified(
  before: string,
  after: string,
  removals: readonly Removal[],
): Promise<string | undefined> {
  const [old, changed] = await Promise.all([before, after].map(readYaml));
  if (old!.problem !== undefined || changed!.problem !== undefined) return undefined;
  const removed = new Set(removals.map(({ path }) => JSON.stringify(path)));
  const isSame = isDeepStrictEqual(
    reduce(old!.document, removed) ?? {},
    reduce(changed!.document, new Set()) ?? {},
  );
  return isSame ? after : undefined;
}

/** A part of a document without some paths, keys that start with `x-`, and what is empty without them. */
function reduce(
  value: unknown,
  removed: ReadonlySet<string>,
  path: Problem["path"] = [],
  around: readonly unknown[] = [],
): unknown {
  if (around.includes(value)) return "circular";
  if (typeof value !== "object" || value === null) return value ?? undefined;
  const inside = (key: string | number, own: unknown) => {
    const at = [...path, key];
    return removed.has(JSON.stringify(at))
      ? undefined
      : reduce(own, removed, at, [...around, value]);
  };
  if (!isMap(value)) {
    const items = (value as unknown[]).map((own, index) => inside(index, own))
      .filter((own) => own !== undefined);
    return items.length === 0 ? undefined : items;
  }
  const entries = Object.entries(value).filter(([key]) => !key.startsWith("x-"))
    .map(([key, own]) => [key, inside(key, own)] as const)
    .filter(([, own]) => own !== undefined);
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}
