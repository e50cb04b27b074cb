import * as v from "valibot";
import { isMap } from "../document.ts";
import type { Problem } from "../../io/problem.ts";
import { unknownKey } from "./unknown_key.ts";
import { entriesOf, unwrapped } from "./unwrapped.ts";
import { found, type NoEffect } from "./values.ts";

/** A key that is there and not used, with the reason. */
export interface UnusedKey extends NoEffect {
  path: Problem["path"];
  why: string;
}

/** What there is to say of the keys of a map, whatever their values. */
export interface Survey {
  unknown: Problem[];
  unused: UnusedKey[];
}

/**
 * Looks for keys that nobody reads, in a map and the maps within it. A key that begins with `x-` is
 * there for its anchor, and nobody's business.
 */
export function survey(
  map: Readonly<Record<string, unknown>>,
  entries: v.ObjectEntries,
  path: Problem["path"],
): Survey {
  const result: Survey = { unknown: [], unused: [] };
  for (const [key, value] of Object.entries(map)) {
    if (key.startsWith("x-")) continue;
    const at = [...path, key];
    const schema = Object.hasOwn(entries, key) ? unwrapped(entries[key]!) : undefined;
    if (key === "<<") {
      const message = `expected a map, or the alias of one, to merge in, found ${found(value)}`;
      result.unknown.push({ severity: "warning", path: at, message });
    } else if (schema === undefined) {
      result.unknown.push(unknownKey(key, Object.keys(entries), at));
    }
    if (schema === undefined) continue;
    const { told } = v.getMetadata(schema) as Partial<NoEffect>;
    if (told !== undefined && !asksForNothing(value)) {
      result.unused.push({ told, path: at, why: v.getDescription(schema) ?? "" });
    }
    const within = entriesOf(schema);
    if (!isMap(value) || within === undefined) continue;
    const inner = survey(value, within, at);
    result.unknown.push(...inner.unknown);
    if (told === undefined) result.unused.push(...inner.unused);
  }
  return result;
}

/** What is said of keys that are not used, once of each. */
export function unusedProblems(unused: readonly UnusedKey[]): Problem[] {
  return [...byName(unused).values()].map(({ path, why, told }) => ({
    severity: told,
    path,
    message: `has no effect: ${why}`,
  }));
}

/** The first of each name. Keys of sites go by their own name, wherever they stand. */
function byName(unused: readonly UnusedKey[]): Map<string, UnusedKey> {
  const named = new Map<string, UnusedKey>();
  for (const one of unused) {
    const number = one.path.findLastIndex((key) => typeof key === "number");
    const name = one.path.slice(number + 1).join(".");
    if (!named.has(name)) named.set(name, one);
  }
  return named;
}

/** Whether a value asks for what a key without effect does: nothing. */
function asksForNothing(value: unknown): boolean {
  return value === false || (Array.isArray(value) && value.length === 0);
}
