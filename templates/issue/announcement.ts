import type { Phase } from "../../lib/history/yaml_file.ts";
import { withMarker } from "../../lib/incidents/marked_texts.ts";
import { breakMentions } from "../markdown/markdown.ts";

/**
 * Renders a person's Markdown as the text of an issue or comment: it mentions nobody, hides nothing, and can't contain a
 * marker.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const text = "A cable <!-- monitor-comment: 1 -->";
 * assertEquals(
 *   renderAnnouncement({ text, phase: "identified" }, "<!-- monitor-announcement: 1 -->"),
 *   "**Identified:** A cable &lt;!-- monitor-comment: 1 -->\n\n<!-- monitor-announcement: 1 -->",
 * );
 * ```
 */
export function renderAnnouncement(
  { text, phase }: { text: string; phase?: Phase },
  marker: string,
): string {
  const shown = breakMentions(text).replaceAll("<!--", "&lt;!--");
  const start = phase === undefined ? "" : `**${phase[0]!.toUpperCase()}${phase.slice(1)}:** `;
  return withMarker(start + shown, marker);
}
