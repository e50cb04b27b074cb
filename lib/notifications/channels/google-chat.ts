import { shortHash } from "../../text/words.ts";
import { cutText, fitParts } from "../fit_text.ts";
import { isOfSite, type SiteEvent } from "../message.ts";
import type { EventText } from "../message_text.ts";
import { alertKey } from "./alert.ts";
import { escapeChat, escapeControl } from "./escape.ts";
import { findWithin, parseAnswer } from "./http/delivery.ts";
import { httpChannel } from "./http/http_channel.ts";
import type { Language } from "../../text/language.ts";
import type { Outgoing } from "./outgoing.ts";
import { listMessageLinks } from "./plain_message.ts";
import { countBytes } from "../../text/plain_text.ts";

/** Characters of a text; a message with its cards may have 32,000 bytes. */
const LONGEST_TEXT = 4_000;
const LONGEST_CARD = 20_000;
const LONGEST_KEY = 4_000;
const LONGEST_HEADLINE = 400;
const LONGEST_REASON = 600;
const LONGEST_FACT = 300;
const LONGEST_SUMMARY = 200;
const ENTITY = /&\w+;/g;

/**
 * An incoming webhook of a space of Google Chat (developers.google.com/workspace/chat/quickstart/webhooks).
 * A repeated message has the same `requestId`, which Google answers with the first. A recovery is in the
 * thread of its outage; what has to be noticed is a message of its own, because replies notify nobody.
 */
export const googleChat = httpChannel({
  vendor: "Google Chat",
  requests(outgoing) {
    const thread = findThread(outgoing);
    const body = {
      ...googleChatMessage(outgoing),
      ...thread === undefined ? {} : { thread: { threadKey: thread } },
    };
    return [{
      address: outgoing.webhookUrl(),
      query: {
        requestId: shortHash(outgoing.message.id),
        ...thread === undefined
          ? {}
          : { messageReplyOption: "REPLY_MESSAGE_FALLBACK_TO_NEW_THREAD" },
      },
      body,
    }];
  },
  confirms: (answer) => typeof findWithin(parseAnswer(answer), "name") === "string",
  statusOf(answer) {
    const code = findWithin(parseAnswer(answer), "error", "code");
    return answer.status === 200 && typeof code === "number" ? code : answer.status;
  },
  cures: [
    {
      status: 404,
      cure: "the webhook or its space was deleted: make a new webhook and change webhook-url",
    },
    ...[{ status: 401 }, { status: 403 }, { says: /API key not valid/i }].map((answer) => ({
      ...answer,
      cure: "the address is not complete: copy the whole of it, with key and token, to webhook-url",
    })),
  ],
});

/** The thread of the only incident of a message, unless it has to be noticed again. */
function findThread({ message: { events }, sending: { monitor } }: Outgoing): string | undefined {
  const keys = new Set(events.map((event) => alertKey(event, monitor, LONGEST_KEY)));
  const isNoticed = ({ kind, reminder, start }: SiteEvent) =>
    reminder || (kind !== "up" && start !== undefined);
  return keys.size === 1 && !events.some(isNoticed) ? [...keys][0] : undefined;
}

function googleChatMessage(outgoing: Outgoing) {
  const { headline, events, lines, only } = outgoing.text;
  const text = outgoing.chatText({
    escape: escapeChat,
    link: ({ text, address }) => `<${escapeControl(address).replaceAll("|", "%7C")}|${text}>`,
    separator: "\n",
    longest: LONGEST_TEXT,
  });
  if (text !== undefined) return { text: cutText(text, LONGEST_TEXT) };
  const links = listMessageLinks(outgoing);
  const buttons = links.map(({ text, address: url }) => ({ text, onClick: { openLink: { url } } }));
  const widgets = [
    ...only ? eventWidgets(only) : [summaryWidget(lines, outgoing.language)],
    ...buttons.length === 0 ? [] : [{ buttonList: { buttons } }],
  ];
  return {
    text: `${events[0]!.sign} *${cutText(escapeChat(headline), LONGEST_HEADLINE)}*`,
    ...widgets.length === 0
      ? {}
      : { cardsV2: [{ cardId: "message", card: { sections: [{ widgets }] } }] },
  };
}

function eventWidgets({ event, dated: { reason, facts } }: EventText) {
  const details = facts.map(({ label, value }) => ({
    decoratedText: { topLabel: label, text: escaped(value, LONGEST_FACT), wrapText: true },
  }));
  return [
    ...reason === "" ? [] : [{ textParagraph: { text: escaped(reason, LONGEST_REASON) } }],
    ...isOfSite(event) ? details : [],
  ];
}

function summaryWidget(events: readonly EventText[], language: Language) {
  const lines = events.map(({ sign, summary, links }) =>
    [
      `${sign} ${escaped(summary, LONGEST_SUMMARY)}`,
      ...links.slice(0, 1).map(({ text, address }) =>
        `<a href="${escapeControl(address).replaceAll('"', "%22")}">${text}</a>`
      ),
    ].join(" · ")
  );
  const join = (some: readonly string[], more?: string) => [...some, more ?? []].flat().join("\n");
  const { parts, more } = fitParts(
    lines,
    (some, rest) => countBytes(JSON.stringify(join(some, rest))) <= LONGEST_CARD,
    language,
  );
  return { textParagraph: { text: join(parts, more) } };
}

/** A text within the HTML of a card. */
function escaped(text: string, longest: number): string {
  return cutText(escapeControl(text), longest, ENTITY);
}
