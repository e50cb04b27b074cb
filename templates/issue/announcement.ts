import type { Phase } from "../../lib/history/yaml_file.ts";
import type { Announcement } from "../../lib/incidents/announce.ts";
import { withMarker } from "../../lib/incidents/marked_texts.ts";
import { PHASE_KEYS } from "../../lib/incidents/phase_words.ts";
import { formatCommand } from "../../lib/text/invocation.ts";
import type { Language } from "../../lib/text/language.ts";
import { joinNames } from "../../lib/text/words.ts";
import { breakMentions, markdownLink } from "../markdown/markdown.ts";

/**
 * Renders a person's Markdown as the text of an issue or comment: it mentions nobody, hides nothing, and can't contain a
 * marker.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { createLanguage } from "../../lib/text/language.ts";
 * import { mergeMessages } from "../../lib/text/messages.ts";
 * const text = "A cable <!-- monitor-comment: 1 -->";
 * const english = createLanguage("en", mergeMessages());
 * assertEquals(
 *   renderAnnouncement({ text, phase: "identified" }, "<!-- monitor-announcement: 1 -->", english),
 *   "**Identified:** A cable &lt;!-- monitor-comment: 1 -->\n\n<!-- monitor-announcement: 1 -->",
 * );
 * ```
 */
export function renderAnnouncement(
  { text, phase }: { text: string; phase?: Phase },
  marker: string,
  { say }: Language,
): string {
  const shown = breakMentions(text).replaceAll("<!--", "&lt;!--");
  const TEXT = phase === undefined
    ? shown
    : say("commentPhase", { PHASE: say(PHASE_KEYS[phase]), TEXT: shown });
  return withMarker(TEXT, marker);
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

const DONE_KEYS = {
  open: "announcedOpen",
  update: "announcedUpdate",
  resolve: "announcedResolve",
} as const;

/** Says the same for the summary of a job. */
export function announcedSummary(
  { announcement: { action }, issue, address, started }: Announced,
  { say, list, isolate }: Language,
): string {
  const LINK = markdownLink(`#${issue}`, new URL(address));
  const rest = started.length === 0
    ? ""
    : say("announcedStarted", { COUNT: started.length, NAMES: list(started.map(isolate)) });
  return `### ${say(DONE_KEYS[action], { LINK })}\n${rest === "" ? "" : `\n${rest}\n`}`;
}

function listStarted(started: readonly string[]): string[] {
  const verb = started.length === 1 ? "is" : "are";
  return started.length === 0
    ? []
    : [`${joinNames(started)} ${verb} started, and show it in a few minutes.`];
}
