import { HtmlParser } from "../../../lib/page/html_parser.ts";
import { plainText, shorten } from "../../../lib/text/plain_text.ts";
import { rawHtml } from "./raw_html.ts";

/** What is part of a line; after all else words are apart. */
const IN_LINE = new Set(["a", "code", "em", "img", "strong"]);

/** What is no part of what is said: footnotes with their marks, and what was struck out. */
const LEFT_OUT = new Set(["del", "section", "sup"]);

/**
 * The words of a text in Markdown on one line, of at most `length` characters; images by theirs.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const text = "> [!NOTE]\n> Found\n\nThe **ca**use is ~~me~~ a [disk](https://a.example)[^1]:\n- `db-1`\n- <b> ![a cat](c.png)\n\n[^1]: Old.";
 * assertEquals(excerptOf(text, 99), "Found The cause is a disk: db-1 <b> a cat");
 * assertEquals(excerptOf(text, 12), "Found The c…");
 * ```
 */
export function excerptOf(markdown: string, length: number): string {
  let words = "";
  let leftOut = 0;
  const say = (text: string) => words += leftOut === 0 ? text : "";
  const parser = new HtmlParser({
    ontext: say,
    onopentag(name, { alt = "" }) {
      if (LEFT_OUT.has(name)) leftOut++;
      if (name === "img") say(alt);
    },
    onclosetag(name) {
      if (LEFT_OUT.has(name)) leftOut--;
      else if (!IN_LINE.has(name)) say(" ");
    },
  });
  parser.end(rawHtml(markdown, { title: "", back: () => "" }).html);
  return shorten(plainText(words).replace(/^\[!\w+\] /, ""), length);
}
