import { micromark } from "micromark";
import { gfm, gfmHtml } from "micromark-extension-gfm";

/** Words for what footnotes bring along. */
export interface FootnoteWords {
  /** Heading above the footnotes. */
  title: string;
  /** Label of a link back, by the number of the footnote. */
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
