import * as v from "valibot";
import { isMap } from "../document.ts";
import { entriesOf, itemOf, unwrapped } from "./unwrapped.ts";
import { type KeyProblem, keyProblem } from "./values.ts";

/** The usable keys of a map; each wrong value is reported and replaced by its default. */
export interface Read<Keys extends v.ObjectEntries> {
  values: v.InferOutput<v.ObjectSchema<Keys, undefined>>;
  problems: KeyProblem[];
  /** The values that were accepted, before any conversion but that of a single value to a list. */
  accepted: Record<string, unknown>;
}

/**
 * Reads the optional keys of a map one by one, so that a wrong value costs nothing but itself. A key that
 * takes a list accepts a single value as a list of one.
 *
 * `byItem` names the keys whose lists or maps lose only their wrong items. All others lose the whole
 * value: what is left of `on: [dwon, up]` would mean something else.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import * as v from "valibot";
 * import { list, text } from "./values.ts";
 * const keys = { to: v.optional(list(text())), on: v.optional(list(text())) };
 * assertEquals(readKeys(keys, { to: "a@b.c" }).values, { to: ["a@b.c"] });
 * const { values, problems } = readKeys(keys, { to: [7, "b"], on: [7, "b"] }, { byItem: ["to"] });
 * assertEquals(values, { to: ["b"] });
 * assertEquals(problems.map(({ path }) => path), [["to", 0], ["on", 0]]);
 * ```
 */
export function readKeys<const Keys extends v.ObjectEntries>(
  keys: Keys,
  input: Readonly<Record<string, unknown>>,
  { byItem = [] }: { byItem?: readonly string[] } = {},
): Read<Keys> {
  const problems: KeyProblem[] = [];
  const accepted: Record<string, unknown> = {};
  for (const [key, schema] of Object.entries(keys)) {
    if (!Object.hasOwn(input, key)) continue;
    const { value, singles } = withLists(schema, input[key], [key]);
    const faults = faultsOf(key, { schema, value });
    problems.push(...faults.map(({ path, ...fault }): KeyProblem => ({
      ...fault,
      path: asWritten(path, singles),
      isIgnored: true,
    })));
    const rest = byItem.includes(key) ? withoutItems(value, faults) : value;
    const isRight = faults.length === 0 ||
      (rest !== value && faultsOf(key, { schema, value: rest }).length === 0);
    if (isRight) accepted[key] = rest;
  }
  return { values: v.parse(v.object(keys), accepted), problems, accepted };
}

/** A value with each single one that stands for a list as a list of one; `singles` are the keys that lead to those. */
function withLists(
  schema: v.GenericSchema,
  value: unknown,
  path: readonly string[],
): { value: unknown; singles: string[][] } {
  const inner = unwrapped(schema);
  if (itemOf(inner) !== undefined && ["string", "number", "boolean"].includes(typeof value)) {
    return { value: [value], singles: [[...path]] };
  }
  const entries = entriesOf(inner);
  if (entries === undefined || !isMap(value)) return { value, singles: [] };
  const singles: string[][] = [];
  const map = Object.fromEntries(
    Object.entries(value).map(([key, one]) => {
      if (!Object.hasOwn(entries, key)) return [key, one];
      const read = withLists(entries[key]!, one, [...path, key]);
      singles.push(...read.singles);
      return [key, read.value];
    }),
  );
  return { value: map, singles };
}

/** A path without the index of a single value, which the file does not have. */
function asWritten(path: KeyProblem["path"], singles: readonly string[][]): KeyProblem["path"] {
  const single = singles.find((keys) => keys.every((key, index) => key === path[index]));
  if (single === undefined) return path;
  return path.filter((_, index) => index !== single.length);
}

function faultsOf(
  key: string,
  { schema, value }: { schema: v.GenericSchema; value: unknown },
): KeyProblem[] {
  const map = v.object({ [key]: schema });
  // The first rule that a value breaks is enough: later ones repeat the same words.
  const { issues = [] } = v.safeParse(map, { [key]: value }, { abortPipeEarly: true });
  return issues.map(keyProblem);
}

/** A list or map without its wrong items; the same value if it is neither, or wrong as a whole. */
function withoutItems(value: unknown, faults: readonly KeyProblem[]): unknown {
  const wrong = new Set(faults.map(({ path: [, item] }) => item));
  if (wrong.size === 0 || wrong.has(undefined)) return value;
  if (Array.isArray(value)) return value.filter((_, index) => !wrong.has(index));
  if (!isMap(value)) return value;
  return Object.fromEntries(Object.entries(value).filter(([name]) => !wrong.has(name)));
}
