import * as v from "valibot";
import type { Problem } from "../../io/problem.ts";
import { isMap } from "../document.ts";
import { findLookalike } from "../yaml/lookalikes.ts";
import { KNOWN_TOP_KEYS } from "./key_tables.ts";
import { findEntries, findItem, unwrapped } from "./read_keys.ts";
import { plain } from "./words.ts";

/**
 * Replaces keys that differ from known ones in case, hyphens or invisible characters only, and warns of each.
 * `written` returns the path of a key in the document as written.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const { document, written, problems } = rewriteCase({ sites: [{ Name: "A" }] });
 * assertEquals(document, { sites: [{ name: "A" }] });
 * assertEquals(written(["sites", 0, "name"]), ["sites", 0, "Name"]);
 * assertEquals(problems.map(({ message }) => message), ['unknown key, read as "name": write it so']);
 * ```
 */
export function rewriteCase(
  source: unknown,
): { document: unknown; written(path: Problem["path"]): Problem["path"]; problems: Problem[] } {
  const spellings = new Map<string, string>();
  const problems: Problem[] = [];
  const visit = (value: unknown, schema: v.GenericSchema, path: Problem["path"]): unknown => {
    const item = findItem(schema);
    if (item !== undefined) {
      if (!Array.isArray(value)) return visit(value, item, path);
      const items = value.map((one, index) => visit(one, item, [...path, index]));
      return items.some((one, index) => one !== value[index]) ? items : value;
    }
    const entries = findEntries(schema);
    if (!isMap(value) || entries === undefined) return value;
    const read = Object.entries(value).map(([key, own]): [string, unknown] => {
      const name = findVariant(key, value, entries) ?? key;
      if (name !== key) {
        spellings.set(JSON.stringify([...path, name]), key);
        const hint = findLookalike(key)?.message ?? "write it so";
        const message = `unknown key, read as "${name}": ${hint}`;
        problems.push({ severity: "warning", path: [...path, key], message });
      }
      const inner = Object.hasOwn(entries, name) ? entries[name]! : undefined;
      return [name, inner === undefined ? own : visit(own, unwrapped(inner), [...path, name])];
    });
    const isChanged = read.some(([key, own]) => !Object.hasOwn(value, key) || own !== value[key]);
    return isChanged ? Object.fromEntries(read) : value;
  };
  const document = visit(source, v.object(KNOWN_TOP_KEYS), []);
  const written = (path: Problem["path"]) =>
    path.map((key, index) => spellings.get(JSON.stringify(path.slice(0, index + 1))) ?? key);
  return {
    document,
    written,
    problems: problems.map(({ path, ...problem }) => (
      { ...problem, path: [...written(path.slice(0, -1)), path.at(-1)!] }
    )),
  };
}

/** The known key that an unknown one is a variant of, unless the map has that too. */
function findVariant(
  key: string,
  map: Readonly<Record<string, unknown>>,
  entries: v.ObjectEntries,
): string | undefined {
  if (Object.hasOwn(entries, key) || key.startsWith("x-")) return undefined;
  const word = plain(key);
  const known = Object.keys(entries).find((one) => plain(one) === word);
  const isSet = known === undefined || Object.hasOwn(map, known) ||
    Object.keys(map).find((one) => plain(one) === word) !== key;
  return isSet ? undefined : known;
}
