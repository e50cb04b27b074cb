/** Parts of a text or list, and how many were left out. */
export interface Fitting<T> {
  parts: T[];
  /** `and 12 more`; absent where all fit. */
  more?: string;
}

/**
 * As many of the first parts as fit, at least one. `fits` is asked with what would be sent.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const fits = (parts: readonly string[], more?: string) => [...parts, more ?? ""].join(" ").length <= 14;
 * assertEquals(fitParts(["one", "two", "three"], fits), { parts: ["one"], more: "and 2 more" });
 * ```
 */
export function fitParts<T>(
  all: readonly T[],
  fits: (parts: readonly T[], more?: string) => boolean,
): Fitting<T> {
  if (all.length === 0 || fits(all)) return { parts: [...all] };
  for (let count = all.length - 1; count > 1; count--) {
    const some = { parts: all.slice(0, count), more: `and ${all.length - count} more` };
    if (fits(some.parts, some.more)) return some;
  }
  return {
    parts: all.slice(0, 1),
    ...all.length > 1 ? { more: `and ${all.length - 1} more` } : {},
  };
}
