import { cutParts, cutText, fitParts } from "../fit_text.ts";
import { isOfSite } from "../message.ts";
import { EVENT_COLORS, type EventText } from "../message_text.ts";
import { escapeChat, linkTarget } from "./escape.ts";
import type { Language } from "../../text/language.ts";
import type { Outgoing } from "./outgoing.ts";

const LONGEST_REASON = 600;
const LONGEST_FACT = 300;
const LONGEST_SUMMARY = 200;

const LONGEST_HEADLINE = 400;

/** An attachment as Mattermost and Rocket.Chat show it: Markdown beside a bar in a color. */
interface ChatAttachment {
  /** Text for clients without attachments. */
  fallback: string;
  color: string;
  text: string;
  fields?: { title: string; value: string; short: boolean }[];
}

/**
 * Renders the text and the attachments of a message; `mark` makes a headline bold. A `message-template` or a short
 * form replaces both.
 */
export function renderAttachedMessage(
  outgoing: Outgoing,
  { mark, longestText, longestAttachments }: {
    mark: string;
    longestText: number;
    /** Length of all attachments as JSON, in UTF-16 units. */
    longestAttachments: number;
  },
) {
  const { headline, events, lines, only } = outgoing.text;
  const { channel } = outgoing.notification;
  const text = outgoing.chatText({
    escape: escapeChat,
    link,
    separator: "\n",
    longest: longestText,
  });
  const own = cutText(escapeChat(headline), LONGEST_HEADLINE);
  return {
    text: text === undefined
      ? `${events[0]!.sign} ${mark}${own}${mark}`
      : cutText(text, longestText),
    ...channel === undefined ? {} : { channel: outgoing.fill(channel) },
    attachments: text === undefined
      ? renderAttachments(lines, {
        longest: longestAttachments,
        isSingle: only !== undefined,
        language: outgoing.language,
      })
      : [],
  };
}

/**
 * Renders one event with all its facts, or a line for each of several, in an attachment for each kind of
 * event. `longest` is the length of all attachments as JSON, in UTF-16 units.
 */
function renderAttachments(
  events: readonly EventText[],
  { longest, isSingle, language }: { longest: number; isSingle: boolean; language: Language },
): ChatAttachment[] {
  if (isSingle) {
    const fits = (attachments: ChatAttachment[]) => JSON.stringify(attachments).length <= longest;
    return cutParts((most) => [eventAttachment(events[0]!, most)], fits, LONGEST_REASON);
  }
  const { parts, more } = fitParts(
    events,
    (some, rest) => JSON.stringify(kindAttachments(some, rest)).length <= longest,
    language,
  );
  return kindAttachments(parts, more);
}

function eventAttachment(
  { event, dated: { reason, facts }, links }: EventText,
  longest: number,
): ChatAttachment {
  const fields = facts.map(({ name, label, value }) => ({
    title: label,
    value: cutText(escapeChat(value), Math.min(longest, LONGEST_FACT)),
    short: name !== "address",
  }));
  const lines = [cutText(escapeChat(reason), longest), links.map(link).join(" · ")];
  return {
    fallback: lines[0]!,
    color: EVENT_COLORS[event.kind],
    text: lines.filter((line) => line !== "").join("\n"),
    ...isOfSite(event) ? { fields } : {},
  };
}

function kindAttachments(events: readonly EventText[], more?: string): ChatAttachment[] {
  const kinds = [...Map.groupBy(events, ({ event }) => event.kind).values()];
  return kinds.map((some, index) => ({
    fallback: cutText(escapeChat(some[0]!.headline), LONGEST_SUMMARY),
    color: EVENT_COLORS[some[0]!.event.kind],
    text: [...some.map(line), index === kinds.length - 1 ? more ?? [] : []].flat().join("\n"),
  }));
}

function line({ sign, summary, links }: EventText): string {
  const text = cutText(escapeChat(summary), LONGEST_SUMMARY);
  return [`${sign} ${text}`, ...links.slice(0, 1).map(link)].join(" · ");
}

export function link({ text, address }: EventText["links"][number]): string {
  return `[${text}](${linkTarget(address)})`;
}
