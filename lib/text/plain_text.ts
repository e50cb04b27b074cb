/** Control characters and the marks that turn the direction of the text around them. */
const UNSEEN = /[\p{Cc}\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066\u2067\ufeff]+/gu;
/** A text that is isolated from the direction of the text around it, or a mark of one that is not closed. */
const ISOLATED = /(\u2068[^\u2068\u2069]*\u2069)|[\u2068\u2069]+/gu;

/** Words with single blanks, which stay as they are: nearly all texts. */
const PLAIN = /^[!-~]+(?: [!-~]+)*$/;

/**
 * A text on one line without control characters, which could steer a terminal, a log or the reading
 * order; isolated parts stay so. NULs, which UTF-16 has between its letters, leave no blank. Joined emoji stay whole.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals(plainText(" Shop\n\u202eEU\x1b[31m  "), "Shop EU [31m");
 * assertEquals(plainText("U\0T\0F"), "UTF");
 * ```
 */
export function plainText(text: string): string {
  if (PLAIN.test(text)) return text;
  return text.replaceAll("\0", "").replace(UNSEEN, " ")
    .replace(ISOLATED, (_, isolated = " ") => isolated).replace(/\s+/gu, " ").trim();
}

/**
 * A text of several lines without what could steer the order of reading; tabs stay as well.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals(plainLines("a\u202eb\r\n\tc\0"), "ab\n\tc");
 * ```
 */
export function plainLines(text: string): string {
  return text.replaceAll(/\r\n?/g, "\n")
    .replace(UNSEEN, (signs) => signs.replace(/[^\n\t]/g, "")).replace(/[\u2068\u2069]/g, "");
}

/**
 * A text of at most `length` characters, cut at the end with an ellipsis.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals(shorten("connection refused", 12), "connection …");
 * ```
 */
export function shorten(text: string, length: number): string {
  if (text.length <= length) return text;
  const characters = [...text];
  return characters.length <= length ? text : characters.slice(0, length - 1).join("") + "…";
}

export function countBytes(text: string): number {
  return new TextEncoder().encode(text).length;
}
