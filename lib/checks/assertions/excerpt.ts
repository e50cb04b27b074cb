import { plainText, shorten } from "../../text/plain_text.ts";

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

/** Units before and after what is shown that {@linkcode vicinity} keeps: more than any secret has. */
const VICINITY = 32 * 1024;

/**
 * The part of a text that decides what its {@linkcode excerpt} shows, with room for secrets that reach
 * into it: redacting that much is fast, redacting all of a long answer is not.
 */
export function vicinity(text: string, place = ""): string {
  const at = place === "" ? 0 : Math.max(0, text.indexOf(place));
  const from = at <= VICINITY ? 0 : at - VICINITY;
  const start = from === 0 ? text.trimStart() : text.slice(from);
  return start.slice(0, at - from + VICINITY);
}

/** More than is shown, because white space gets less, without the halves of characters at its ends. */
function part(text: string, from: number): string {
  const piece = from === 0 ? text.trimStart() : text.slice(from);
  return piece.slice(0, LONGEST * 4).replace(/^[\udc00-\udfff]|[\ud800-\udbff]$/g, "");
}
