import * as v from "valibot";
import type { Problem } from "../../io/problem.ts";
import { isMap } from "../document.ts";
import { found, type KeyProblem, readWhole } from "./values.ts";

/** The usable keys of a map; each wrong value is reported and replaced by its default. */
interface Read<Keys extends v.ObjectEntries> {
  values: v.InferOutput<v.ObjectSchema<Keys, undefined>>;
  problems: KeyProblem[];
  /** The values that were accepted, before any conversion but that of a single value to a list. */
  accepted: Record<string, unknown>;
}

/**
 * Reads the optional keys of a map one by one, so that a wrong value costs nothing but itself: a list or map loses
 * only its wrong items, unless it is `whole` and would mean something else without them. A key that takes a list
 * accepts a single value as a list of one.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import * as v from "valibot";
 * import { list, text } from "./values.ts";
 * const keys = { to: v.optional(list(text())), on: v.optional(list(text())) };
 * assertEquals(readKeys(keys, { to: "a@b.c" }).values, { to: ["a@b.c"] });
 * const { values, problems } = readKeys(keys, { to: [7, "b"], on: [7, "b"] }, { whole: ["on"] });
 * assertEquals(values, { to: ["b"] });
 * assertEquals(problems.map(({ path }) => path), [["to", 0], ["on", 0]]);
 * ```
 */
export function readKeys<const Keys extends v.ObjectEntries>(
  keys: Keys,
  input: Readonly<Record<string, unknown>>,
  { whole = [] }: { whole?: readonly string[] } = {},
): Read<Keys> {
  const problems: KeyProblem[] = [];
  const accepted: Record<string, unknown> = {};
  for (const [key, schema] of Object.entries(keys)) {
    if (!Object.hasOwn(input, key)) continue;
    const value = coerce(schema, input[key]);
    const faults = findFaults(key, schema, value);
    problems.push(...faults.map((fault): KeyProblem => ({ ...fault, isIgnored: true })));
    const rest = whole.includes(key) ? value : withoutItems(value, faults);
    const isRight = faults.length === 0 ||
      (rest !== value && findFaults(key, schema, rest).length === 0);
    if (isRight) accepted[key] = rest;
  }
  return { values: v.parse(v.object(keys), accepted), problems, accepted };
}

/** {@linkcode readKeys} for a map of the document, with paths from its top. */
export function readPart<const Keys extends v.ObjectEntries>(
  part: string,
  keys: Keys,
  value: unknown = {},
): Omit<Read<Keys>, "problems"> & { problems: Problem[] } {
  const { problems, ...read } = readKeys(keys, isMap(value) ? value : {});
  const message = `expected a map, found ${found(value)}`;
  const faults: KeyProblem[] = isMap(value) ? problems : [{ path: [], message }];
  return {
    ...read,
    problems: faults.map(({ path, ...fault }) => ({
      severity: "error",
      path: [part, ...path],
      ...fault,
    })),
  };
}

const FLAGS = new Map<unknown, boolean>([
  ...["true", "yes", "on", "1", 1].map((word) => [word, true] as const),
  ...["false", "no", "off", "0", 0].map((word) => [word, false] as const),
]);

/** A value in the type that its key takes: a single value as a list of one, `yes` as true, words in lower case. */
function coerce(schema: v.GenericSchema, value: unknown): unknown {
  const inner = unwrapped(schema);
  const lower = typeof value === "string" ? value.trim().toLowerCase() : value;
  if (inner.type === "boolean") return FLAGS.get(lower) ?? value;
  if (inner.type === "picklist") return v.is(inner, lower) ? lower : value;
  const item = findItem(inner);
  if (item !== undefined) {
    const isSingle = findEntries(item) === undefined
      ? ["string", "number", "boolean"].includes(typeof value)
      : isMap(value);
    const list = isSingle ? splitWords(item, value) : value;
    return Array.isArray(list) ? list.map((one) => coerce(item, one)) : value;
  }
  const entries = findEntries(inner);
  if (entries === undefined || !isMap(value)) return value;
  const map = Object.entries(value)
    .map(([key, one]) => [key, Object.hasOwn(entries, key) ? coerce(entries[key]!, one) : one]);
  return Object.fromEntries(map);
}

/** A single value as a list; a text of several words, as in `on: down, up`, as a list of these. */
function splitWords(item: v.GenericSchema, value: unknown): unknown[] {
  const isText = typeof value === "string" && /\S/.test(value);
  return unwrapped(item).type === "picklist" && isText ? value.trim().split(/[\s,;]+/) : [value];
}

function findFaults(key: string, schema: v.GenericSchema, value: unknown): KeyProblem[] {
  return readWhole(v.object({ [key]: schema }), { [key]: value }).problems;
}

/** A list or map without its wrong items; the same value if nothing would be left, or if it is neither. */
function withoutItems(value: unknown, faults: readonly KeyProblem[]): unknown {
  const wrong = new Set(faults.map(({ path: [, item] }) => item));
  if (typeof value !== "object" || value === null || wrong.has(undefined)) return value;
  const rest = Object.entries(value)
    .filter(([name]) => !wrong.has(Array.isArray(value) ? Number(name) : name));
  if (rest.length === 0) return value;
  return Array.isArray(value) ? rest.map(([, item]) => item) : Object.fromEntries(rest);
}

export function unwrapped(schema: v.GenericSchema): v.GenericSchema {
  if (schema.type !== "optional") return schema;
  return unwrapped((schema as v.OptionalSchema<v.GenericSchema, undefined>).wrapped);
}

export function findEntries(schema: v.GenericSchema): v.ObjectEntries | undefined {
  if (schema.type !== "object") return undefined;
  return (schema as v.ObjectSchema<v.ObjectEntries, undefined>).entries;
}

export function findItem(schema: v.GenericSchema): v.GenericSchema | undefined {
  if (schema.type !== "array") return undefined;
  return (schema as v.ArraySchema<v.GenericSchema, undefined>).item;
}
