/** Whether a value is a map of keys to values. */
export function isMap(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * The keys of a map that have a value, with those that `<<` merges in from other maps.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals(givenKeys({ "<<": { a: 1, b: 2 }, b: 3, c: null }), { a: 1, b: 3 });
 * ```
 */
export function givenKeys(map: Record<string, unknown>): Record<string, unknown> {
  const { "<<": merged, ...own } = map;
  const given = Object.entries(own).filter(([, value]) => value !== null);
  return Object.assign({}, ...[merged].flat().filter(isMap), Object.fromEntries(given));
}
