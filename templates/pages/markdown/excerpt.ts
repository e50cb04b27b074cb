import { HtmlParser } from "../../../lib/page/html_parser.ts";
import { plainText, shorten } from "../../../lib/plain_text.ts";
import { rawHtml } from "./raw_html.ts";

/** What is part of a line; after all else words are apart. */
const IN_LINE = new Set(["a", "code", "del", "em", "strong", "sup"]);

/**
 * The words of a text in Markdown on one line, of at most `length` characters.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const text = "## Found\n\nThe **ca**use is a [disk](https://a.example):\n- `db-1`\n- <b>";
 * assertEquals(excerptOf(text, 99), "Found The cause is a disk: db-1 <b>");
 * assertEquals(excerptOf(text, 12), "Found The c…");
 * ```
 */
export function excerptOf(markdown: string, length: number): string {
  let words = "";
  const parser = new HtmlParser({
    ontext: (text) => words += text,
    onclosetag: (name) => words += IN_LINE.has(name) ? "" : " ",
  });
  parser.end(rawHtml(markdown, { title: "", back: () => "" }).html);
  return shorten(plainText(words), length);
}
