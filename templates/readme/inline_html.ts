import { plainText } from "../../lib/text/plain_text.ts";

/**
 * A text on one line as it may stand in HTML within Markdown, also in a cell of a table and in quotes: all signs but
 * those of numbers are written by their own.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals(inlineText('a|b "c" <d> 1.5%'), "a&#124;b &#34;c&#34; &#60;d&#62; 1.5%");
 * ```
 */
export function inlineText(text: string): string {
  return plainText(text).replace(
    /(?<!\d)[,.]|[!-$&-+/:-@[-`{-~]/g,
    (sign) => `&#${sign.charCodeAt(0)};`,
  );
}

/** The same text or Markdown with its first two words on one line. */
export function unbroken(text: string): string {
  return text.replace(" ", "&nbsp;");
}

/** A picture; given its address, which is percent-encoded, and the words for who does not see it. */
export function picture(address: string, words: string, height?: number): string {
  const size = height === undefined ? "" : ` height="${height}"`;
  return `<img alt="${inlineText(words)}" src="${address}"${size}>`;
}

/** A picture that has another one for dark pages. */
export function themedPicture(
  { light, dark }: { light: string; dark?: string },
  words: string,
  size: string,
): string {
  const image = `<img alt="${inlineText(words)}" src="${light}" ${size}>`;
  if (dark === undefined) return image;
  const source = `<source media="(prefers-color-scheme: dark)" srcset="${dark}">`;
  return `<picture>${source}${image}</picture>`;
}
