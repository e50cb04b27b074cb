import { parse, YamlSyntaxError } from "@std/yaml";
import { isMap } from "../document.ts";

interface Fault {
  message: string;
  line: number;
  column: number;
  isTooDeep?: true;
}

/** Parses YAML 1.2, {@linkcode normalize}d, or finds the first error as the parser words it. */
export function parseYaml(text: string): { document?: unknown; fault?: Fault } {
  try {
    return { document: normalize(parse(text, { schema: "core" })) };
  } catch (error) {
    if (error instanceof RangeError) {
      const message = "is nested too deeply to be read";
      return { fault: { message, line: 1, column: 1, isTooDeep: true } };
    }
    if (!(error instanceof YamlSyntaxError)) throw error;
    const [, message = "", line = "1", column = "1"] =
      /^(?:Cannot [^:]*: )?(.*?)(?: at line (\d+), column (\d+)|\n|$)/.exec(error.message) ?? [];
    const last = text.split("\n").length;
    return { fault: { message, line: Math.min(Number(line), last), column: Number(column) } };
  }
}

/** Parses YAML whose numbers and other values stay texts, as they are written. */
export function parseAsWritten(text: string): unknown {
  return normalize(parse(text, { schema: "failsafe" }));
}

/**
 * Merges maps in place of `<<`, the first of several winning and the map's own keys before all of them, and
 * drops keys without a value; `sites:` without one is an empty list. Shared and circular parts stay shared,
 * so that a document that is small as text stays small.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals(normalize({ "<<": [{ a: 1 }, { a: 2, b: 2 }], b: 3, c: null }), { a: 1, b: 3 });
 * ```
 */
export function normalize(document: unknown): unknown {
  const done = new Map<object, unknown>();
  const visit = (value: unknown): unknown => {
    if (typeof value !== "object" || value === null) return value;
    if (done.has(value)) return done.get(value);
    const result: unknown[] | Record<string, unknown> = Array.isArray(value) ? [] : {};
    done.set(value, result);
    if (Array.isArray(result)) result.push(...(value as unknown[]).map(visit));
    else fill(result, value as Record<string, unknown>, visit);
    return result;
  };
  const isBlank = isMap(document) && document["sites"] === null;
  return visit(isBlank ? { ...document, sites: [] } : document);
}

function fill(
  result: Record<string, unknown>,
  { "<<": merged, ...own }: Record<string, unknown>,
  visit: (value: unknown) => unknown,
): void {
  const bases = [merged ?? []].flat().map(visit);
  const usable = bases.every(isMap) ? bases.filter(isMap) : [{ "<<": merged }];
  for (const map of [own, ...usable]) {
    for (const [key, entry] of Object.entries(map)) {
      if (entry === null || Object.hasOwn(result, key)) continue;
      // Unlike an assignment, this treats `__proto__` as a key like any other.
      const descriptor = { enumerable: true, writable: true, configurable: true };
      Object.defineProperty(result, key, { value: visit(entry), ...descriptor });
    }
  }
}
