import { plainText, shorten } from "../../plain_text.ts";

/** Longest value that is shown, in characters. */
const LONGEST = 100;
/** Characters that are shown before the place that matters. */
const BEFORE = 30;

/**
 * A part of a text on one line that is short enough to be shown: around a place in it where the place
 * is found there, else its beginning.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const page = `<html>${"-".repeat(300)}\nerror: no database${"-".repeat(300)}`;
 * assertEquals(excerpt(page, "error").slice(0, 50), "…----------------------------- error: no database-");
 * ```
 */
export function excerpt(text: string, place = ""): string {
  const at = place === "" ? -1 : text.indexOf(place);
  if (at <= BEFORE || text.length <= LONGEST) return shorten(plainText(part(text, 0)), LONGEST);
  return `…${shorten(plainText(part(text, at - BEFORE)), LONGEST - 1)}`;
}

/** More than is shown, because white space gets less, without the halves of characters at its ends. */
function part(text: string, from: number): string {
  const piece = from === 0 ? text.trimStart() : text.slice(from);
  return piece.slice(0, LONGEST * 4).replace(/^[\udc00-\udfff]|[\ud800-\udbff]$/g, "");
}
