import { graphemes } from "../text/graphemes.ts";

/** What is left of a text at least where it is cut at the end of a word. */
const SHARE = 0.6;

/**
 * A text of at most `length` UTF-16 units, cut at the end of a word where one is near and never within
 * what people see as one character. What `whole` matches is never cut in two either: entities, escapes.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals(cutText("connection refused", 16), "connection…");
 * assertEquals(cutText("ab&amp;cd", 6, /&\w+;/g), "ab…");
 * assertEquals(cutText("👩‍💻👩‍💻", 7), "👩‍💻…");
 * ```
 */
export function cutText(text: string, length: number, whole?: RegExp): string {
  if (text.length <= length) return text;
  let end = 0;
  let word = 0;
  for (const piece of pieces(text, whole)) {
    if (end + piece.length > length - 1) break;
    if (/^\s/.test(piece)) word = end;
    end += piece.length;
  }
  if (/^\s/.test(text.slice(end))) word = end;
  return length < 1 ? "" : text.slice(0, word >= length * SHARE ? word : end).trimEnd() + "…";
}

/** The parts of a text that must stay whole. */
function* pieces(text: string, whole?: RegExp): Generator<string> {
  let start = 0;
  for (const { 0: found, index } of whole === undefined ? [] : text.matchAll(whole)) {
    yield* graphemes(text.slice(start, index));
    yield found;
    start = index + found.length;
  }
  yield* graphemes(text.slice(start));
}
