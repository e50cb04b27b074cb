import { type HttpAnswer, jsonOf, within } from "./http/delivery.ts";
import { plainText } from "../../text/plain_text.ts";
import { cutText, importantFirst, joinFitting } from "../fit_text.ts";
import { isOfSite } from "../message.ts";
import { type EventText, renderMessage } from "../message_text.ts";
import { type Outgoing, textByTemplate } from "../templates.ts";
import type { ChannelSender } from "./channel.ts";
import { escapeHtml, withGaps } from "./escape.ts";
import { httpChannel, type HttpRequest, vendorAddress } from "./http/http_channel.ts";

const BASE = "https://api.telegram.org";

/**
 * A bot of Telegram (core.telegram.org/bots/api#sendmessage). A group that became a supergroup is written
 * to by its new number; a template whose HTML is wrong is sent as plain text.
 */
export const telegram: ChannelSender = httpChannel({
  vendor: "Telegram",
  requests: (outgoing) => [sendMessage(outgoing, chatOf(outgoing), "HTML")],
  statusOf(answer) {
    const json = jsonOf(answer);
    const code = within(json, "error_code");
    return within(json, "ok") === false && typeof code === "number" ? code : answer.status;
  },
  cures: [
    {
      status: 401,
      cure: "the token is wrong or was revoked: get one from @BotFather and change bot-token",
    },
    { status: 404, cure: "the token is no token of a bot: check bot-token" },
    {
      says: /chat not found|CHAT_ID_INVALID|chat_id is empty/i,
      cure: "check chat-id, and write something to the bot or add it to the group first",
    },
    {
      status: 403,
      cure:
        "the bot was blocked or removed, or was never written to: add it to the chat, or change chat-id",
    },
    { says: /not enough rights|CHAT_WRITE_FORBIDDEN/i, cure: "let the bot post in the chat" },
    { says: /TOPIC_CLOSED|thread not found/i, cure: "open the topic again, or change chat-id" },
  ],
});

function chatOf({ notification, filler }: Outgoing): string {
  return filler.text(notification["chat-id"] ?? "").trim();
}

function sendMessage(
  outgoing: Outgoing,
  chat: string,
  form: "HTML" | "plain",
): HttpRequest {
  const { notification, filler } = outgoing;
  const token = filler.credential(notification["bot-token"] ?? "", inPath);
  const html = form === "HTML" ? telegramHtml(outgoing) : undefined;
  return {
    method: "POST",
    address: vendorAddress(outgoing, { base: BASE, path: `/bot${token}/sendMessage` }),
    body: {
      chat_id: chat,
      text: html ?? telegramText(outgoing),
      ...(html === undefined ? {} : { parse_mode: "HTML" }),
      link_preview_options: { is_disabled: true },
    },
    ...(chat === chatOf(outgoing) ? {} : { note: newNumber(notification["chat-id"], chat) }),
    otherwise(answer) {
      const other = otherChat(answer);
      if (other !== undefined && other !== chat) return sendMessage(outgoing, other, form);
      const isWrong = html !== undefined && /can't parse entities/i.test(answer.body);
      return isWrong ? sendMessage(outgoing, chat, "plain") : undefined;
    },
  };
}

/** The cure for a group that has moved to another id; a secret id is not shown. */
function newNumber(configured = "", chat: string): string {
  const number = configured.includes("$") ? "its new number" : chat;
  return `the group became a supergroup: put ${number} into chat-id`;
}

/** The number that a group has got as a supergroup. */
function otherChat(answer: HttpAnswer): string | undefined {
  const id = within(jsonOf(answer), "parameters", "migrate_to_chat_id");
  return typeof id === "number" ? String(id) : undefined;
}

/** A token has a colon, which a path may hold. */
function inPath(token: string): string {
  return encodeURIComponent(token).replaceAll("%3A", ":");
}

/** Telegram counts after the entities are read, so that HTML of this length always fits. */
const LONGEST = 4_096;
const LIMITS = { separator: "\n\n", longest: LONGEST };
const LONGEST_HEADLINE = 300;
const LONGEST_REASON = 600;
const LONGEST_FACT = 500;
const LONGEST_SUMMARY = 200;

/** Renders a message as HTML; `undefined` if a template makes it too long. */
function telegramHtml(outgoing: Outgoing): string | undefined {
  const text = textByTemplate(outgoing, {
    ...LIMITS,
    escape: (value) => escapeHtml(withGaps(value)),
    escapeAddress: escapeHtml,
  });
  if (text !== undefined) return text.length <= LONGEST ? text : undefined;
  const told = toldEvents(outgoing);
  if (told.length === 1) return eventHtml(told[0]!);
  const { headline } = renderMessage(outgoing.message, outgoing.sending.places);
  return joinFitting([`<b>${escapeHtml(headline)}</b>`, ...told.map(summaryHtml)], LIMITS);
}

/** A message without markup, of which Telegram finds nothing wrong. */
function telegramText(outgoing: Outgoing): string {
  const text =
    textByTemplate(outgoing, { ...LIMITS, escape: withGaps, escapeAddress: (value) => value }) ??
      joinFitting(
        toldEvents(outgoing).map(({ sign, headline, sentence }) =>
          `${sign} ${withGaps(headline)}: ${withGaps(sentence)}`
        ),
        LIMITS,
      );
  return cutText(text, LONGEST);
}

function toldEvents({ message, sending }: Outgoing): EventText[] {
  return renderMessage({ ...message, events: importantFirst(message.events) }, sending.places)
    .events;
}

function eventHtml({ sign, headline, reason, since, event, facts, links }: EventText): string {
  const details = [{ label: "Since", value: since }, ...facts].map(({ label, value }) =>
    `${label}: ${label === "Address" ? code(value, LONGEST_FACT) : escapeHtml(value)}`
  );
  return [
    `${sign} <b>${text(headline, LONGEST_HEADLINE)}</b>`,
    ...(reason === "" ? [] : [words(reason, event.kind, LONGEST_REASON)]),
    ...(isOfSite(event) ? details : []),
    ...(links.length === 0 ? [] : [links.map(link).join(" · ")]),
  ].join("\n");
}

function summaryHtml({ sign, headline, reason, since, event, links }: EventText): string {
  const why = reason === "" ? "" : `${words(reason, event.kind, LONGEST_SUMMARY)}, `;
  const first = links[0] === undefined ? "" : ` · ${link(links[0])}`;
  return `${sign} <b>${text(headline, LONGEST_SUMMARY)}</b>\n${why}since ${since}${first}`;
}

/** Words of others stand as code, in which nothing is looked for; ours as they are. */
function words(reason: string, kind: EventText["event"]["kind"], longest: number): string {
  return kind === "down" || kind === "degraded" ? code(reason, longest) : text(reason, longest);
}

function text(value: string, longest: number): string {
  return escapeHtml(cutText(withGaps(value), longest));
}

function code(value: string, longest: number): string {
  return `<code>${escapeHtml(cutText(plainText(value), longest))}</code>`;
}

function link({ text, address }: EventText["links"][number]): string {
  return `<a href="${escapeHtml(address)}">${escapeHtml(text)}</a>`;
}
