import { cutText, fitParts } from "../fit_text.ts";
import { isOfSite } from "../message.ts";
import type { EventText } from "../message_text.ts";
import { escapeChat, linkTarget } from "./escape.ts";

const COLORS = {
  down: "#c13737",
  degraded: "#d29922",
  up: "#2e9e5b",
  notice: "#d29922",
  test: "#3b82c4",
} as const;
const LONGEST_REASON = 600;
const LONGEST_FACT = 300;
const LONGEST_SUMMARY = 200;

/** An attachment as Mattermost and Rocket.Chat show it: Markdown beside a bar in a color. */
export interface ChatAttachment {
  /** What clients show that don't know attachments. */
  fallback: string;
  color: string;
  text: string;
  fields?: { title: string; value: string; short: boolean }[];
}

/**
 * Renders one event with all its facts, or a line for each of several, in an attachment for each kind of
 * event. `longest` is the length of all attachments as JSON, in UTF-16 units.
 */
export function renderAttachments(
  events: readonly EventText[],
  longest: number,
): ChatAttachment[] {
  if (events.length === 1) return [eventAttachment(events[0]!)];
  const { parts, more } = fitParts(
    events,
    (some, rest) => JSON.stringify(kindAttachments(some, rest)).length <= longest,
  );
  return kindAttachments(parts, more);
}

function eventAttachment({ event, reason, since, facts, links }: EventText): ChatAttachment {
  const fields = [{ label: "Since", value: since }, ...facts].map(({ label, value }) => ({
    title: label,
    value: cutText(escapeChat(value), LONGEST_FACT),
    short: label !== "Address",
  }));
  const lines = [cutText(escapeChat(reason), LONGEST_REASON), links.map(link).join(" · ")];
  return {
    fallback: lines[0]!,
    color: COLORS[event.kind],
    text: lines.filter((line) => line !== "").join("\n"),
    ...isOfSite(event) ? { fields } : {},
  };
}

function kindAttachments(events: readonly EventText[], more?: string): ChatAttachment[] {
  const kinds = [...Map.groupBy(events, ({ event }) => event.kind).values()];
  return kinds.map((some, index) => ({
    fallback: cutText(escapeChat(some[0]!.headline), LONGEST_SUMMARY),
    color: COLORS[some[0]!.event.kind],
    text: [...some.map(line), index === kinds.length - 1 ? more ?? [] : []].flat().join("\n"),
  }));
}

function line({ sign, headline, sentence, links }: EventText): string {
  const text = cutText(escapeChat(`${headline}: ${sentence}`), LONGEST_SUMMARY);
  return [`${sign} ${text}`, ...links.slice(0, 1).map(link)].join(" · ");
}

/** A link of Markdown. */
export function link({ text, address }: EventText["links"][number]): string {
  return `[${text}](${linkTarget(address)})`;
}
