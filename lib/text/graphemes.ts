let segmenter: Intl.Segmenter | undefined;

/**
 * What people see as the characters of a text, one after the other.
 *
 * The tables for it are loaded for the first text: that takes as long as a tenth of a run.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals([...graphemes("é👩‍💻!")], ["é", "👩‍💻", "!"]);
 * ```
 */
export function* graphemes(text: string): Generator<string> {
  segmenter ??= new Intl.Segmenter("en", { granularity: "grapheme" });
  for (const { segment } of segmenter.segment(text)) yield segment;
}
