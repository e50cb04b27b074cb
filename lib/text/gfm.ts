import { micromark, parse, postprocess, preprocess } from "micromark";
import { gfm, gfmHtml } from "micromark-extension-gfm";

/** Words for what footnotes bring along. */
export interface FootnoteWords {
  /** What stands above them. */
  title: string;
  /** What a link back from one is called, given its number. */
  back(number: number): string;
}

/** The HTML of Markdown as GitHub reads it; what is HTML in it stays text. */
export function gfmToHtml(markdown: string, { title, back }: FootnoteWords): string {
  return micromark(markdown, {
    extensions: [gfm()],
    htmlExtensions: [
      gfmHtml({ clobberPrefix: "", label: title, backLabel: (index) => back(index + 1) }),
    ],
  });
}

/** A piece of Markdown: what it is, in micromark's words, and from where to where it stands. */
export interface MarkdownPiece {
  type: string;
  from: number;
  to: number;
  /** How many pieces it lies in. */
  depth: number;
}

/**
 * The pieces of Markdown as GitHub reads it, in their order, each before those in it.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const types = markdownPieces("# T\n\n`<!--a-->`").filter(({ depth }) => depth === 0).map(({ type }) => type);
 * assertEquals(types, ["atxHeading", "lineEnding", "lineEndingBlank", "content"]);
 * ```
 */
export function markdownPieces(markdown: string): MarkdownPiece[] {
  const document = parse({ extensions: [gfm()] }).document();
  const events = postprocess(document.write(preprocess()(markdown, undefined, true)));
  const pieces: MarkdownPiece[] = [];
  let depth = 0;
  for (const [kind, { type, start, end }] of events) {
    if (kind === "exit") depth--;
    else pieces.push({ type, from: start.offset, to: end.offset, depth: depth++ });
  }
  return pieces;
}
