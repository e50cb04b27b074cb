import { levenshteinDistance } from "@std/text/levenshtein-distance";

/** The hint for the middle of an error: `did you mean "port"? `; empty if no word is near. */
export function didYouMean(word: string, known: readonly string[]): string {
  const near = nearest(word, known);
  return near === undefined ? "" : `did you mean "${near}"? `;
}

/** The hint for the end of an error: `, did you mean "port"?`; empty if no word is near. */
export function nearHint(word: string, known: readonly string[]): string {
  const near = nearest(word, known);
  return near === undefined ? "" : `, did you mean "${near}"?`;
}

/** Finds a known word that is at most one edit away. */
export function misspeltWord(word: string, known: readonly string[]): string | undefined {
  const near = nearest(word, known);
  return near !== undefined && editsBetween(word, near) <= 1 ? near : undefined;
}

/** Edits between two words, whatever their case and hyphens. */
function editsBetween(word: string, other: string): number {
  const plain = (text: string) => text.toLowerCase().replaceAll(/[-_]/g, "");
  const letters = (text: string) => [...plain(text)].sort().join("");
  // Two letters that changed places count as one slip, not as two.
  return letters(other) === letters(word) ? 1 : levenshteinDistance(plain(word), plain(other));
}

/** Finds the known word that another probably means; `undefined` if none is near. */
export function nearest(
  word: string,
  known: readonly string[],
  most = Math.ceil(word.length / 3),
): string | undefined {
  const ranked = known
    .map((other) => ({ other, distance: editsBetween(word, other) }))
    .sort((a, b) => a.distance - b.distance);
  const best = ranked[0];
  return best !== undefined && best.distance <= most ? best.other : undefined;
}
