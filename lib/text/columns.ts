import { withoutPaint } from "./paint.ts";

const WIDE =
  /\p{Emoji_Presentation}|\ufe0f|[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}]/u;
/** Columns without a terminal. */
export const USUAL_COLUMNS = 100;

/** Combining characters, which take no column. */
const COMBINING = /^[\p{M}\p{Cf}]+$/u;
/** Characters of one column each. */
const SIMPLE = /^[ -~\u00a1-\u00ac\u00ae-\u02ff\u2010-\u2027→✔✘]*$/;

/** Columns of a terminal that a text takes; its colors take none. */
export function textWidth(text: string): number {
  if (SIMPLE.test(text)) return text.length;
  let width = 0;
  for (const segment of graphemes(withoutPaint(text))) {
    if (!COMBINING.test(segment)) width += WIDE.test(segment) ? 2 : 1;
  }
  return width;
}

/** Cuts a text to a number of columns, with an ellipsis. */
export function fit(text: string, width: number): string {
  return textWidth(text) <= width ? text : column(text, width).trimEnd();
}

/**
 * A text as wide as a column: cut with an ellipsis, or filled with blanks.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals(column("shop", 6), "shop  ");
 * assertEquals(column("日本語サイト", 6), "日本… ");
 * ```
 */
export function column(text: string, width: number): string {
  if (width < 1) return "";
  if (textWidth(text) <= width) return text + " ".repeat(width - textWidth(text));
  let cut = "";
  for (const segment of graphemes(text)) {
    if (textWidth(cut + segment) > width - 1) break;
    cut += segment;
  }
  return cut + "…" + " ".repeat(width - 1 - textWidth(cut));
}

let segmenter: Intl.Segmenter | undefined;

/**
 * The graphemes of a text.
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
