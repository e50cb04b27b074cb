import type { Phase } from "../../lib/history/yaml_file.ts";
import type { Announcement } from "../../lib/incidents/announce.ts";
import { withMarker } from "../../lib/incidents/marked_texts.ts";
import { formatCommand } from "../../lib/text/invocation.ts";
import { joinNames } from "../../lib/text/words.ts";
import { breakMentions, markdownLink } from "../markdown/markdown.ts";

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

interface Announced {
  announcement: Announcement;
  issue: number;
  address: string;
  /** Names of the workflows that were started. */
  started: readonly string[];
}

const DONE: Readonly<Record<Announcement["action"], string>> = {
  open: "Opened incident",
  update: "Updated incident",
  resolve: "Resolved incident",
};

/** Formats what was announced, where, and what happens next. */
export function announcedLines(
  { announcement: { action }, issue, address, started }: Announced,
): string {
  return [
    `${DONE[action]} #${issue}: ${address}`,
    ...listStarted(started),
    ...action === "open"
      ? [
        `${formatCommand(`announce --update ${issue} "…"`)} writes an update, and ${
          formatCommand(`announce --resolve ${issue}`)
        } ends the incident.`,
      ]
      : [],
  ].join("\n");
}

/** Formats the same for the summary of a job. */
export function announcedSummary(
  { announcement: { action }, issue, address, started }: Announced,
): string {
  const link = markdownLink(`#${issue}`, new URL(address));
  const rest = listStarted(started).map((line) => `\n${line}\n`).join("");
  return `### ${DONE[action]} ${link}\n${rest}`;
}

function listStarted(started: readonly string[]): string[] {
  const verb = started.length === 1 ? "is" : "are";
  return started.length === 0
    ? []
    : [`${joinNames(started)} ${verb} started, and show it in a few minutes.`];
}
