import type { Announcement } from "../../lib/incidents/announce.ts";
import { formatCommand } from "../../lib/text/invocation.ts";
import { joinNames } from "../../lib/text/words.ts";
import { markdownLink } from "../markdown/markdown.ts";

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
    ...action === "resolve" ? [] : [
      `${formatCommand(`announce --update ${issue} "…"`)} writes an update, and ${
        formatCommand(`announce --resolve ${issue}`)
      } ends the incident.`,
    ],
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
