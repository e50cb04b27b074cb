import { byteText } from "./bytes_text.ts";
import type { Places } from "./find_places.ts";

/** What is put into a README. */
export interface ReadmeTexts {
  /** What stands between the markers: Markdown with `\n` at the ends of lines. */
  summary: string;
  /** How everything is: as Markdown, and as HTML for lines that are read as such. */
  live: { markdown: string; html: string };
}

/** Ends of lines, those of Windows first. */
const LINE_END = /\r\n|\n|\r/;

/**
 * Puts texts into their places; all else stays byte for byte. Lines end as those around them do.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { findPlaces } from "./find_places.ts";
 * import { USUAL_MARKERS } from "./markers.ts";
 * const text = "Up: <!--live status-->\r\n<!-- monitor: summary --><!-- /monitor: summary -->";
 * const texts = { summary: "a\nb", live: { markdown: "**Yes**", html: "<b>Yes</b>" } };
 * assertEquals(
 *   fillPlaces(text, findPlaces(text, USUAL_MARKERS), texts),
 *   "Up: <!--live status--> **Yes**\r\n<!-- monitor: summary -->\r\n\r\na\r\nb\r\n\r\n<!-- /monitor: summary -->",
 * );
 * ```
 */
export function fillPlaces(
  text: string,
  { summaries, lives }: Places,
  { summary, live }: ReadmeTexts,
): string {
  const pieces = [
    ...summaries.map(({ from, to }) => {
      const lines = `\n\n${summary}\n\n`.replaceAll("\n", lineEndAfter(text, from));
      return { from, to, content: byteText(lines) };
    }),
    ...lives.map(({ from, to, isHtml }) => ({
      ...{ from, to },
      content: byteText(` ${isHtml ? live.html : live.markdown}`),
    })),
  ].sort((one, other) => one.from - other.from);
  let filled = "";
  let end = 0;
  for (const { from, to, content } of pieces) {
    filled += text.slice(end, from) + content;
    end = to;
  }
  return filled + text.slice(end);
}

/** How the line at a place ends, or else the first of all. */
export function lineEndAfter(text: string, offset: number): string {
  const [first = "\n"] = LINE_END.exec(text) ?? [];
  return LINE_END.exec(text.slice(offset))?.[0] ?? first;
}
