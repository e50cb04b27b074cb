import { fitParts } from "../../fit_parts.ts";
import { importantFirst } from "../../important_first.ts";
import { tell, type ToldEvent } from "../../tell.ts";
import type { Outgoing } from "../http/http_channel.ts";
import { MARKDOWN_WHOLE } from "../inert/markdown.ts";
import { textByTemplate } from "../told_by_template.ts";
import { withMentions } from "./mentions.ts";
import { type CardElement, cardOf, type OpenUrl, textBlock } from "./card.ts";
import { eventElements, openUrls, summaryElement } from "./elements.ts";
import { escapeCardText } from "./escape.ts";

/** What a workflow is sent. */
export interface TeamsMessage {
  type: "message";
  attachments: [{
    contentType: "application/vnd.microsoft.card.adaptive";
    contentUrl: null;
    content: ReturnType<typeof cardOf>;
  }];
}

/** Bytes of a message; Teams takes 28 KB, of which it needs some itself. */
const MOST_BYTES = 20_000;
const LONGEST_TEXT = 6_000;
/** One line break alone is none in a card. */
const SINGLE_BREAK = /(?<!\n)\n(?!\n)/g;

/** What Teams is told: one card, with a part for each event as far as they fit. */
export function teamsMessage(outgoing: Outgoing): TeamsMessage {
  const { message, sending } = outgoing;
  const events = importantFirst(message.events);
  const { headline, events: told } = tell({ ...message, events }, sending.places);
  const [only] = told.length === 1 ? told : [];
  const actions = only === undefined ? [] : openUrls(only);
  const build = (body: CardElement[], buttons: OpenUrl[] = []) =>
    wrapped({ headline, body, actions: buttons });
  const { template, mentions } = withMentions(outgoing);
  const notification = { ...outgoing.notification, "message-template": template };
  const text = textByTemplate({ ...outgoing, notification }, {
    escape: escapeCardText,
    escapeAddress: (address) => address,
    separator: "\n\n",
    longest: LONGEST_TEXT,
    whole: MARKDOWN_WHOLE,
  });
  if (text !== undefined) {
    const body = [textBlock(text.replace(SINGLE_BREAK, "\n\n"))];
    return wrapped({ headline, body, actions, mentions });
  }
  if (only !== undefined) return build(eventElements(only), actions);
  const many = (some: readonly ToldEvent[], more?: string) =>
    build([
      textBlock(headline, { size: "Large", weight: "Bolder" }),
      ...some.map(summaryElement),
      ...more === undefined ? [] : [textBlock(more)],
    ]);
  const { parts, more } = fitParts(told, (some, rest) => bytesOf(many(some, rest)) <= MOST_BYTES);
  return many(parts, more);
}

function wrapped(
  card: Parameters<typeof cardOf>[0],
): TeamsMessage {
  return {
    type: "message",
    attachments: [{
      contentType: "application/vnd.microsoft.card.adaptive",
      contentUrl: null,
      content: cardOf(card),
    }],
  };
}

function bytesOf(value: unknown): number {
  return new TextEncoder().encode(JSON.stringify(value)).length;
}
