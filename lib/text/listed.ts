/**
 * The first of some things behind each other, each as it is told, and how many more there are.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals([listed(["a", "b"], 2), listed([1, 2, 3], 1), listed([], 1)], ["a, b", "1 and 2 more", ""]);
 * assertEquals(listed(["a", "b", "c"], 2, JSON.stringify), '"a", "b" and 1 more');
 * ```
 */
export function listed<T>(
  things: readonly T[],
  most: number,
  told: (thing: T) => string = String,
): string {
  const rest = things.length - most;
  const shown = things.slice(0, most).map((thing) => told(thing)).join(", ");
  return shown + (rest > 0 ? ` and ${rest} more` : "");
}
