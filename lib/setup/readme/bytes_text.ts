/** Bytes that are made a text of at once: more arguments no function takes. */
const CHUNK = 8_192;

/**
 * Bytes as a text of one character each, so that text which is not valid stays what it is; the marks of
 * Markdown stand in it as they are.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const bytes = Uint8Array.from({ length: 256 }, (_, index) => index);
 * assertEquals(bytesOf(byteText(bytes)), bytes);
 * assertEquals(byteText("ä"), "\u00c3\u00a4");
 * ```
 */
export function byteText(content: Uint8Array | string): string {
  const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
  let text = "";
  for (let at = 0; at < bytes.length; at += CHUNK) {
    text += String.fromCharCode(...bytes.subarray(at, at + CHUNK));
  }
  return text;
}

/** The bytes that {@linkcode byteText} made a text of. */
export function bytesOf(text: string): Uint8Array {
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}
