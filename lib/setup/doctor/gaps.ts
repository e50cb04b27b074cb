/** How far apart moments are, in milliseconds. */
export interface Gaps {
  /** That of which half of them are no longer; absent where there is only one moment. */
  median?: number;
  /** The longest, that up to now among them. */
  longest: number;
  /** From the last moment to now. */
  last: number;
}

/**
 * The gaps between moments, given ascending, up to `now`; `undefined` where there are no moments.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals(gapsBetween([0, 5, 10, 30], 40), { median: 5, longest: 20, last: 10 });
 * assertEquals(gapsBetween([7], 9), { longest: 2, last: 2 });
 * assertEquals(gapsBetween([], 9), undefined);
 * ```
 */
export function gapsBetween(moments: readonly number[], now: number): Gaps | undefined {
  const end = moments.at(-1);
  if (end === undefined) return undefined;
  const last = Math.max(0, now - end);
  const gaps = moments.slice(1).map((moment, index) => moment - moments[index]!)
    .sort((one, other) => one - other);
  const longest = Math.max(last, gaps.at(-1) ?? 0);
  return { ...gaps.length === 0 ? {} : { median: gaps[(gaps.length - 1) >> 1] }, longest, last };
}
