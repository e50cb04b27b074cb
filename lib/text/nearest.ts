import { levenshteinDistance } from "@std/text/levenshtein-distance";

/** The hint for the middle of an error: `did you mean "port"? `; empty if no word is near. */
export function didYouMean(word: string, known: readonly string[]): string {
  const near = findMeant(word, known);
  return near === undefined ? "" : `did you mean "${near}"? `;
}

/** The hint for the end of an error: `, did you mean "port"?`; empty if no word is near. */
export function nearHint(word: string, known: readonly string[]): string {
  return `, ${didYouMean(word, known)}`.trimEnd().replace(/^,$/, "");
}

/** Finds the known word that a misspelled or half-typed one probably means; `undefined` if there is none. */
export function findMeant(
  word: string,
  known: readonly string[],
  most?: number,
): string | undefined {
  const start = word.toLowerCase();
  return nearest(word, known, most) ??
    (start.length < 2 ? undefined : known.find((other) => other.toLowerCase().startsWith(start)));
}

/** Edits between two words, whatever their case, hyphens and blanks. */
function editsBetween(word: string, other: string): number {
  const plain = (text: string) => text.toLowerCase().replaceAll(/[\s_-]/g, "");
  const letters = (text: string) => [...plain(text)].sort().join("");
  // Two letters that changed places count as one slip, not as two.
  const distance = levenshteinDistance(plain(word), plain(other));
  return letters(other) === letters(word) ? Math.min(distance, 1) : distance;
}

/**
 * Finds the known word that another probably means, at most some edits away; `undefined` if none is near.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const near = (word: string) => nearest(word, ["port", "userAgent"]);
 * assertEquals(["prot", "user-agent", "weather"].map(near), ["port", "userAgent", undefined]);
 * ```
 */
export function nearest(
  word: string,
  known: readonly string[],
  most = Math.ceil(word.length / 3),
): string | undefined {
  const ranked = known.map((other) => ({ other, distance: editsBetween(word, other) }))
    .sort((a, b) => a.distance - b.distance);
  return ranked.find(({ distance }) => distance <= most)?.other;
}
