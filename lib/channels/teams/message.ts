import { cutText } from "../../notify/cut_text.ts";
import { fitParts } from "../../notify/fit_parts.ts";
import { importantFirst } from "../../notify/important_first.ts";
import { tell, type ToldEvent } from "../../notify/tell.ts";
import type { Outgoing } from "../http/http_channel.ts";
import { MARKDOWN_WHOLE } from "../inert/markdown.ts";
import { toldByTemplate } from "../told_by_template.ts";
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

/** What Teams is told: one card, with a part for each event as far as they fit. */
export function teamsMessage(outgoing: Outgoing): TeamsMessage {
  const { message, sending } = outgoing;
  const events = importantFirst(message.events);
  const { headline, events: told } = tell({ ...message, events }, sending.places);
  const [only] = told.length === 1 ? told : [];
  const actions = only === undefined ? [] : openUrls(only);
  const build = (body: CardElement[], buttons: OpenUrl[] = []) =>
    wrapped({ headline, body, actions: buttons });
  const text = templateText(outgoing);
  if (text !== undefined) return build([textBlock(text)], actions);
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

function templateText({ message, ...outgoing }: Outgoing): string | undefined {
  if (outgoing.notification["message-template"] === undefined) return undefined;
  const texts = importantFirst(message.events).map((event) =>
    toldByTemplate(event, outgoing, { escape: escapeCardText, escapeAddress: (text) => text }) ?? ""
  );
  const { parts, more } = fitParts(
    texts,
    (some, rest) => [...some, rest ?? ""].join("\n\n").length <= LONGEST_TEXT,
  );
  // One line break alone is none in a card.
  const text = [...parts, ...more === undefined ? [] : [more]].join("\n\n")
    .replace(/(?<!\n)\n(?!\n)/g, "\n\n");
  return cutText(text, LONGEST_TEXT, MARKDOWN_WHOLE);
}

function wrapped(
  card: { headline: string; body: CardElement[]; actions: OpenUrl[] },
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
