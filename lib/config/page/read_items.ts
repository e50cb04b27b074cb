import * as v from "valibot";
import { type Aliases, spell } from "../keys/aliases.ts";
import { survey } from "../keys/survey.ts";
import { entriesOf } from "../keys/unwrapped.ts";
import { nearest } from "../keys/unknown_key.ts";
import { keyProblem } from "../keys/values.ts";
import { joinFirst } from "../../text/words.ts";
import type { Problem } from "../../io/problem.ts";
import { isMap } from "../document.ts";
import { type Guess, tidied, tidiedValue } from "./tidied.ts";

/** What there is to know of the things in a list. */
export interface ItemKind {
  schema: v.GenericSchema;
  /** What a thing that is no map was probably meant to be. */
  guess?: Guess;
  /** The same of the keys of one that is. */
  guesses?: Readonly<Record<string, Guess>>;
  /** Other spellings of these keys. */
  aliases?: Aliases;
}

/** The things of a list that can be used, as they were written or meant, and what is wrong with the others. */
export interface ReadItems {
  items: unknown[];
  problems: Problem[];
}

/** Reads a list thing by thing, so that a wrong one costs nothing but itself. */
export function readItems(
  list: readonly unknown[],
  kind: ItemKind,
  path: Problem["path"],
): ReadItems {
  const read = list.map((item, index) => readItem(item, kind, [...path, index]));
  return {
    items: read.flatMap(({ items }) => items),
    problems: read.flatMap(({ problems }) => problems),
  };
}

function readItem(item: unknown, kind: ItemKind, path: Problem["path"]): ReadItems {
  const { value, problems } = isMap(item)
    ? readMap(item, kind, path)
    : tidiedValue(item, kind.guess, path);
  const written = isMap(item) ? spell(item, kind.aliases ?? {}).written : undefined;
  if (value === undefined) return { items: [], problems };
  const otherItem = isMap(item) ? itemOfOtherList(item, kind, path) : undefined;
  if (otherItem !== undefined) return { items: [], problems: [otherItem] };
  const { success, issues = [] } = v.safeParse(kind.schema, value);
  const faults = issues.map((issue): Problem => {
    const { path: [key, ...rest], message } = keyProblem(issue);
    const own = key === undefined ? [] : [written?.(key) ?? key];
    return { severity: "error", path: [...path, ...own, ...rest], message };
  });
  return { items: success ? [value] : [], problems: [...problems, ...faults] };
}

/** One error for an item of which no key is known and all required ones are missing. */
function itemOfOtherList(
  item: Record<string, unknown>,
  { schema, aliases = {} }: ItemKind,
  path: Problem["path"],
): Problem | undefined {
  const entries = entriesOf(schema) ?? {};
  const known = [...Object.keys(entries), ...Object.keys(aliases)];
  const keys = Object.keys(item);
  const isKnown = keys.some((key) => known.includes(key) || nearest(key, known) !== undefined);
  const required = Object.keys(entries).filter((key) => entries[key]!.type !== "optional");
  if (isKnown || keys.length === 0 || required.length === 0) return undefined;
  const found = joinFirst(keys, 3);
  const hint = required.length > 1 ? ": it may belong to a list whose key is missing" : "";
  const message = `expected an item with ${required.join(" and ")}, found ${found}${hint}`;
  return { severity: "error", path, message };
}

function readMap(
  item: Record<string, unknown>,
  { schema, guesses = {}, aliases = {} }: ItemKind,
  path: Problem["path"],
): { value: unknown; problems: Problem[] } {
  const { map } = spell(item, aliases);
  const others = Object.keys(aliases).filter((alias) => Object.hasOwn(item, alias));
  const spelled = others.map((alias): Problem => ({
    severity: "warning",
    path: [...path, alias],
    message: `is read as ${aliases[alias]}`,
  }));
  const { map: value, problems } = tidied(map, guesses, path);
  const { unknown } = survey(map, entriesOf(schema) ?? {}, path);
  return { value, problems: [...spelled, ...unknown, ...problems] };
}
