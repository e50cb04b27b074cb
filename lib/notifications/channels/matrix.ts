import { cutParts, cutText, joinFitting } from "../fit_text.ts";
import { isOfSite } from "../message.ts";
import { type EventText, sayFact, sayLink } from "../message_text.ts";
import type { Language } from "../../text/language.ts";
import { escapeMarkup, withGaps } from "./escape.ts";
import { findWithin, parseAnswer } from "./http/delivery.ts";
import { httpChannel } from "./http/http_channel.ts";
import type { Outgoing } from "./outgoing.ts";
import { listMessageLinks, renderPlainText } from "./plain_message.ts";

/**
 * A room of Matrix (spec.matrix.org/latest/client-server-api, sections "Sending events to a room" and
 * "Instant messaging"). The same message always has the same transaction, so that a server shows it once.
 */
export const matrix = httpChannel({
  vendor: "Matrix",
  requests(outgoing) {
    const { notification, message } = outgoing;
    const room = encodeURIComponent(outgoing.fill(notification.room ?? "").trim());
    const path = `/_matrix/client/v3/rooms/${room}/send/m.room.message/${message.id}`;
    return [{
      method: "PUT",
      address: outgoing.apiUrl("", path),
      headers: { Authorization: `Bearer ${outgoing.credential(notification.token)}` },
      body: toContent(outgoing),
    }];
  },
  confirms: (answer) => typeof findWithin(parseAnswer(answer), "event_id") === "string",
  cures: [
    {
      says: /"M_(?:UNKNOWN|MISSING)_TOKEN"/,
      cure:
        "the access token is wrong or its session was logged out: make a new one and change token",
    },
    {
      says: /"M_FORBIDDEN"/,
      cure: "the bot is not in the room, or may not write there: invite it and let it join",
    },
    {
      says: /"M_(?:NOT_FOUND|INVALID_PARAM|UNRECOGNIZED)"/,
      cure: "check url and room: the ID of a room starts with !",
    },
  ],
});

/** An event has at most 65,536 bytes with both texts; a UTF-16 unit takes up to three. */
const LONGEST_TEXT = 5_000;
const LONGEST_MARKUP = 12_000;
const LONGEST_HEADLINE = 300;
const LONGEST_REASON = 1_000;
const LONGEST_FACT = 500;
const LONGEST_SUMMARY = 300;
const MARKUP_WHOLE = /&#?\w+;|<[^<>]*>/g;

function toContent(outgoing: Outgoing) {
  return {
    // Clients don't notify of `m.notice` by default.
    msgtype: outgoing.message.events.every(({ kind }) => kind === "up") ? "m.notice" : "m.text",
    body: cutText(toText(outgoing), LONGEST_TEXT),
    format: "org.matrix.custom.html",
    formatted_body: toMarkup(outgoing),
    // Without this, names and `@room` in a text notify people.
    "m.mentions": {},
  };
}

/** The text for clients that show no HTML. */
function toText(outgoing: Outgoing): string {
  const { headline, events } = outgoing.text;
  return outgoing.chatText({
    escape: withGaps,
    escapeAddress: (value) => value,
    adapt: (template) => template.replaceAll(/<[^<>]*>/g, ""),
    separator: "\n",
    longest: LONGEST_TEXT,
  }) ?? [
    `${events[0]!.sign} ${withGaps(headline)}`,
    ...renderPlainText(outgoing, { longest: LONGEST_TEXT }).split("\n").map((line) =>
      withGaps(line)
    ),
    ...listMessageLinks(outgoing).map((link) => sayLink(link, outgoing.language)),
  ].join("\n");
}

function toMarkup(outgoing: Outgoing): string {
  const text = outgoing.chatText({
    escape: (value) => escapeMarkup(withGaps(value)),
    escapeAddress: escapeMarkup,
    link,
    separator: "<br>",
    longest: LONGEST_MARKUP,
    whole: MARKUP_WHOLE,
  });
  if (text !== undefined) return text;
  const { language, text: { headline, lines, only } } = outgoing;
  if (only) {
    const fits = ({ length }: string) => length <= LONGEST_MARKUP;
    return cutParts((longest) => eventMarkup(only, longest, language), fits, LONGEST_FACT);
  }
  const title = `<strong>${escaped(headline, LONGEST_HEADLINE)}</strong>`;
  return joinFitting([title, ...lines.map(summaryMarkup)], {
    separator: "<br>",
    longest: LONGEST_MARKUP,
    language,
  });
}

function eventMarkup(
  { sign, headline, dated, event, links }: EventText,
  longestFact: number,
  language: Language,
): string {
  const { reason, facts } = dated;
  const details = facts.map((fact) =>
    sayFact({ ...fact, value: escaped(fact.value, longestFact) }, language)
  );
  return [
    `${sign} <strong>${escaped(headline, LONGEST_HEADLINE)}</strong>`,
    ...reason === "" ? [] : [escaped(reason, LONGEST_REASON)],
    ...isOfSite(event) ? details : [],
    ...links.length === 0 ? [] : [links.map(link).join(" · ")],
  ].join("<br>");
}

function summaryMarkup({ sign, summary, links }: EventText): string {
  const text = `${sign} ${escaped(summary, LONGEST_SUMMARY)}`;
  return [text, ...links.slice(0, 1).map(link)].join(" · ");
}

function escaped(value: string, longest: number): string {
  return escapeMarkup(cutText(withGaps(value), longest));
}

function link({ text, address }: EventText["links"][number]): string {
  return `<a href="${escapeMarkup(address)}">${escapeMarkup(text)}</a>`;
}
