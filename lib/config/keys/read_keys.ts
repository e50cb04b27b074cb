import * as v from "valibot";
import { isMap } from "../document.ts";
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
    const { value, singles } = coerce(schema, input[key], [key]);
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

const FLAGS = new Map<unknown, boolean>([
  ...["true", "yes", "on", "1", 1].map((word) => [word, true] as const),
  ...["false", "no", "off", "0", 0].map((word) => [word, false] as const),
]);

/**
 * A value in the type that its key takes: a single value as a list of one, `yes` as true, and words in
 * lower case. `singles` are the paths of such single values.
 */
function coerce(
  schema: v.GenericSchema,
  value: unknown,
  path: KeyProblem["path"],
): { value: unknown; singles: KeyProblem["path"][] } {
  const inner = unwrapped(schema);
  const lower = typeof value === "string" ? value.trim().toLowerCase() : value;
  if (inner.type === "boolean") return { value: FLAGS.get(lower) ?? value, singles: [] };
  if (isPicklist(inner)) {
    return { value: inner.options.includes(String(lower)) ? lower : value, singles: [] };
  }
  const singles: KeyProblem["path"][] = [];
  const coerceItem = (item: v.GenericSchema, one: unknown, key: string | number) => {
    const read = coerce(item, one, [...path, key]);
    singles.push(...read.singles);
    return read.value;
  };
  const item = itemOf(inner);
  if (item !== undefined) {
    const isSingle = entriesOf(item) === undefined
      ? ["string", "number", "boolean"].includes(typeof value)
      : isMap(value);
    if (isSingle) singles.push(path);
    const list = isSingle ? [value] : value;
    if (!Array.isArray(list)) return { value, singles: [] };
    return { value: list.map((one, index) => coerceItem(item, one, index)), singles };
  }
  const entries = entriesOf(inner);
  if (entries === undefined || !isMap(value)) return { value, singles: [] };
  const map = Object.entries(value).map(([key, one]) => [
    key,
    Object.hasOwn(entries, key) ? coerceItem(entries[key]!, one, key) : one,
  ]);
  return { value: Object.fromEntries(map), singles };
}

/** A path without the index of a single value, which the file does not have. */
function asWritten(
  path: KeyProblem["path"],
  singles: readonly KeyProblem["path"][],
): KeyProblem["path"] {
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

/** The schema of a key, whether it is optional or not. */
export function unwrapped(schema: v.GenericSchema): v.GenericSchema {
  return isOptional(schema) ? unwrapped(schema.wrapped) : schema;
}

/** The keys of a map; `undefined` for other schemas. */
export function entriesOf(schema: v.GenericSchema): v.ObjectEntries | undefined {
  return isObject(schema) ? schema.entries : undefined;
}

/** The schema of the items of a list; `undefined` for other schemas. */
export function itemOf(schema: v.GenericSchema): v.GenericSchema | undefined {
  return isArray(schema) ? schema.item : undefined;
}

function isOptional(
  schema: v.GenericSchema,
): schema is v.OptionalSchema<v.GenericSchema, undefined> {
  return schema.type === "optional";
}

function isObject(schema: v.GenericSchema): schema is v.ObjectSchema<v.ObjectEntries, undefined> {
  return schema.type === "object";
}

function isArray(schema: v.GenericSchema): schema is v.ArraySchema<v.GenericSchema, undefined> {
  return schema.type === "array";
}

function isPicklist(
  schema: v.GenericSchema,
): schema is v.PicklistSchema<readonly string[], undefined> {
  return schema.type === "picklist";
}
