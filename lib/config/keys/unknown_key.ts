import { levenshteinDistance } from "@std/text/levenshtein-distance";
import type { Problem } from "../../io/problem.ts";

/**
 * Warns of an unknown key, with the known key that it probably means.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const { message } = unknownKey("prot", ["port", "url"], ["sites", 0, "prot"]);
 * assertEquals(message, 'unknown key, did you mean "port"?');
 * ```
 */
export function unknownKey(
  key: string,
  known: readonly string[],
  path: Problem["path"],
): Problem {
  const near = nearest(key, known);
  const hint = startHint(key) ??
    (near === undefined ? "it has no effect" : `did you mean "${near}"?`);
  const meant = near === undefined ? {} : { meant: near };
  return { severity: "warning", path, message: `unknown key, ${hint}`, ...meant };
}

/** The cure for a key such as `-name`. */
export function startHint(key: string): string | undefined {
  if (/^-\S/.test(key)) return `a space is missing after the hyphen: write "- ${key.slice(1)}:"`;
  const [odd] = /^[^\S ]|^\p{Cf}/u.exec(key) ?? [];
  if (odd === undefined) return undefined;
  const code = odd.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0");
  return `it starts with a special space (U+${code}): write a plain one`;
}

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
