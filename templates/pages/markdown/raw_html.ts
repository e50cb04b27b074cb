import { type FootnoteWords, gfmToHtml } from "../../../lib/text/gfm.ts";
import { plainLines } from "../../../lib/text/plain_text.ts";

/** Characters of a text that are read at most, and of those that may be markup: long rows of it take time that grows with its square. */
const LONGEST = 20_000;
const MOST_MARKS = 1_500;

/** What Markdown comes to. */
export interface RawHtml {
  html: string;
  /** Whether there is more of the text than this. */
  isCut: boolean;
}

/** The HTML of Markdown as GitHub reads it. */
export function rawHtml(markdown: string, words: FootnoteWords): RawHtml {
  const text = plainLines(markdown);
  const length = readableLength(text);
  return { html: gfmToHtml(text.slice(0, length), words), isCut: length < text.length };
}

/** How much of a text is read: all of it, or up to the end of a line or word, if there is one near. */
function readableLength(text: string): number {
  let length = Math.min(text.length, LONGEST);
  let marks = 0;
  for (const { index } of text.slice(0, length).matchAll(/[\n\t!-/:-@[-`{-~]/g)) {
    if (++marks <= MOST_MARKS) continue;
    length = index;
    break;
  }
  if (length === text.length) return length;
  const end = Math.max(text.lastIndexOf("\n", length), text.lastIndexOf(" ", length));
  return end > length / 2 ? end : length;
}
