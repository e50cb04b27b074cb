import { isMap } from "./maps.ts";

/**
 * What a document means: maps that `<<` merges in stand in place, the first of several winning and
 * the map's own keys before all of them, and a key without a value is as one that is not there. Shared
 * and circular parts stay shared, so that a document that is small as text stays small.
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
  return visit(document);
}

function fill(
  result: Record<string, unknown>,
  { "<<": merged, ...own }: Record<string, unknown>,
  visit: (value: unknown) => unknown,
): void {
  const bases = [merged ?? []].flat().map(visit);
  const usable = bases.every(isMap) ? bases.filter(isMap) : [{ "<<": merged }];
  for (const map of [own, ...usable]) {
    for (const [key, value] of Object.entries(map)) {
      if (value !== null && !Object.hasOwn(result, key)) define(result, key, visit(value));
    }
  }
}

/** `__proto__` is a key like any other. */
function define(map: Record<string, unknown>, key: string, value: unknown): void {
  Object.defineProperty(map, key, { value, enumerable: true, writable: true, configurable: true });
}
