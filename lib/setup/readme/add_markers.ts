import { markdownPieces } from "../../text/gfm.ts";
import { byteText } from "./bytes_text.ts";
import { lineEndAfter } from "./fill_places.ts";
import { BYTE_ORDER_MARK, type Places } from "./find_places.ts";
import type { Markers } from "./markers.ts";

/** What is to be pasted into a README so that it is filled: with `\n` at the ends of lines. */
export function markerLines({ summary, live }: Markers, places: Partial<Places> = {}): string {
  const { summaries = [], lives = [] } = places;
  const [pair] = summary;
  return [
    ...lives.length > 0 ? [] : [`**Status:** ${live[0]}`],
    ...summaries.length > 0 ? [] : [`${pair!.start}\n${pair!.end}`],
  ].join("\n\n");
}

/**
 * A README with the markers that it lacks: behind its title and the first paragraph, or at its top where
 * it begins with something else.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { findPlaces } from "./find_places.ts";
 * import { USUAL_MARKERS } from "./markers.ts";
 * const text = "# Status\n\nOf Acme.\n\n## More\n";
 * assertEquals(
 *   addMarkers(text, USUAL_MARKERS, findPlaces(text, USUAL_MARKERS)),
 *   "# Status\n\nOf Acme.\n\n**Status:** <!-- monitor: live status -->\n\n" +
 *     "<!-- monitor: summary -->\n<!-- /monitor: summary -->\n\n## More\n",
 * );
 * ```
 */
export function addMarkers(text: string, markers: Markers, places: Places): string {
  // What stands between two markers is not ours alone to choose.
  const limit = Math.min(...places.summaries.map(({ from }) => from));
  const begin = text.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK.length : 0;
  const at = begin + endOfIntroduction(text.slice(begin), limit - begin);
  const end = lineEndAfter(text, at);
  const lines = byteText(markerLines(markers, places).replaceAll("\n", end));
  if (lines === "") return text;
  const [before, after] = [text.slice(0, at), text.slice(at)];
  if (at > begin) return `${before}${end}${end}${lines}${after}`;
  return after === "" ? `${before}${lines}${end}` : `${before}${lines}${end}${end}${after}`;
}

/** Where a title and the paragraph under it end, above a limit; 0 where a README has neither at its top. */
function endOfIntroduction(text: string, limit: number): number {
  const blocks = markdownPieces(text).filter(({ type, depth, to }) =>
    depth === 0 && to < limit && !/^(?:lineEnding|linePrefix)/.test(type)
  );
  let passed = 0;
  const pass = (types: RegExp, most: number) => {
    for (let left = most; left > 0 && types.test(blocks[passed]?.type ?? ""); left--) passed++;
  };
  pass(/^htmlFlow$/, Infinity);
  pass(/^(?:atx|setext)Heading$/, 1);
  pass(/^(?:content|htmlFlow)$/, 1);
  return passed === 0 ? 0 : blocks[passed - 1]!.to;
}
