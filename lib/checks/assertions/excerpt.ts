import { shorten } from "../../plain_text.ts";

/** Longest value that is shown, in characters. */
const LONGEST = 100;
/** Characters that are shown before the place that matters. */
const BEFORE = 30;

/**
 * A part of a text that is short enough to be shown: around a place in it where the place is found
 * there, else its beginning.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const page = `<html>${"-".repeat(300)} error: no database${"-".repeat(300)}`;
 * assertEquals(excerpt(page, "error").slice(0, 50), "…----------------------------- error: no database-");
 * ```
 */
export function excerpt(text: string, place = ""): string {
  const at = place === "" ? -1 : text.indexOf(place);
  if (at <= BEFORE || text.length <= LONGEST) return shorten(text.slice(0, LONGEST * 4), LONGEST);
  const from = at - BEFORE;
  // The half of a character that is joined from two is no text.
  const start = /[\udc00-\udfff]/.test(text[from]!) ? from + 1 : from;
  return `…${shorten(text.slice(start, start + LONGEST * 4), LONGEST - 1)}`;
}
