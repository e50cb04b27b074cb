import type * as v from "valibot";
import { type Read, readKeys } from "../keys/read_keys.ts";
import { itemOf, unwrapped } from "../keys/unwrapped.ts";
import { found } from "../keys/values.ts";
import type { Problem } from "../../io/problem.ts";
import { isMap } from "../document.ts";
import { type ItemKind, readItems } from "./read_items.ts";
import { type Guess, tidied } from "./tidied.ts";

/** What there is to know of a part of the configuration that is a map. */
export interface Part<Keys extends v.ObjectEntries> {
  path: Problem["path"];
  keys: Keys;
  /** What values of the keys were probably meant to be. */
  guesses: Readonly<Record<string, Guess>>;
  /** Keys that are lists, with what things in them were probably meant to be. */
  items: Readonly<Record<string, Omit<ItemKind, "schema">>>;
}

/** Reads a part key by key, and lists thing by thing. Keys that nobody knows are told elsewhere. */
export function readPart<const Keys extends v.ObjectEntries>(
  value: unknown,
  { path, keys, guesses, items }: Part<Keys>,
): { values: Read<Keys>["values"]; problems: Problem[] } {
  if (!isMap(value)) {
    const message = `expected a map, found ${found(value)}`;
    const { values } = readKeys(keys, {});
    return { values, problems: [{ severity: "error", path, message }] };
  }
  const { map, problems } = tidied(value, guesses, path);
  for (const [key, kind] of Object.entries(items)) {
    const list = map[key];
    const schema = itemOf(unwrapped(keys[key]!));
    if (!Array.isArray(list) || schema === undefined) continue;
    const read = readItems(list, { ...kind, schema }, [...path, key]);
    map[key] = read.items;
    problems.push(...read.problems);
  }
  const { values, problems: faults } = readKeys(keys, map);
  const placed = faults.map(({ path: inner, ...fault }): Problem => ({
    severity: "error",
    path: [...path, ...inner],
    ...fault,
  }));
  return { values, problems: [...problems, ...placed] };
}
