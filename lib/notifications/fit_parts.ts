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
 * const fits = (parts: readonly string[], more?: string) => [...parts, more ?? ""].join(" ").length <= 18;
 * const { parts, more } = fitParts(["one", "two", "three", "four"], fits);
 * assertEquals([parts, more], [["one", "two"], "and 2 more"]);
 * ```
 */
export function fitParts<T>(
  all: readonly T[],
  fits: (parts: readonly T[], more?: string) => boolean,
): Fitting<T> {
  if (all.length === 0 || fits(all)) return { parts: [...all] };
  const first = (count: number) => ({
    parts: all.slice(0, count),
    more: `and ${all.length - count} more`,
  });
  // What fits is found by halves: to ask may cost as much as to write the message.
  let fitting = 1;
  let tooMany = all.length;
  while (tooMany - fitting > 1) {
    const count = Math.floor((fitting + tooMany) / 2);
    const { parts, more } = first(count);
    if (fits(parts, more)) fitting = count;
    else tooMany = count;
  }
  return all.length === 1 ? { parts: [...all] } : first(fitting);
}

/** As many texts as fit into `longest` UTF-16 units, joined, and how many were left out. */
export function joinFitting(
  texts: readonly string[],
  { separator, longest }: { separator: string; longest: number },
): string {
  const join = (some: readonly string[], more?: string) =>
    [...some, ...more === undefined ? [] : [more]].join(separator);
  const { parts, more } = fitParts(texts, (some, rest) => join(some, rest).length <= longest);
  return join(parts, more);
}
