import { plainText } from "../../text/plain_text.ts";
import { cutParts, cutText, joinFitting } from "../fit_text.ts";
import { isOfSite } from "../message.ts";
import { type EventText, sayFact } from "../message_text.ts";
import { joinTexts } from "../recorded_words.ts";
import type { Language } from "../../text/language.ts";
import { escapeMarkup, withGaps } from "./escape.ts";
import { findWithin, parseAnswer } from "./http/delivery.ts";
import { httpChannel } from "./http/http_channel.ts";
import type { HttpRequest } from "./http/request.ts";
import type { Outgoing } from "./outgoing.ts";

/**
 * A bot of Telegram (core.telegram.org/bots/api#sendmessage). A group that became a supergroup is written
 * to by its new number; a template whose HTML is wrong is sent as plain text.
 */
export const telegram = httpChannel({
  vendor: "Telegram",
  requests: (outgoing) => [sendMessage(outgoing, { text: telegramHtml(outgoing) })],
  statusOf(answer) {
    const json = parseAnswer(answer);
    const code = findWithin(json, "error_code");
    return findWithin(json, "ok") === false && typeof code === "number" ? code : answer.status;
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

/** `text` is HTML; without it, as after a refusal, a text without markup is sent. `moved` is a new chat id. */
function sendMessage(
  outgoing: Outgoing,
  { text, moved }: { text?: string; moved?: string },
): HttpRequest {
  const { "chat-id": chat = "", "bot-token": token } = outgoing.notification;
  // A token has a colon, which a path may contain.
  const inPath = (value: string) => encodeURIComponent(value).replaceAll("%3A", ":");
  const path = `/bot${outgoing.credential(token, inPath)}/sendMessage`;
  const number = chat.includes("$") ? "its new number" : moved;
  return {
    address: outgoing.apiUrl("https://api.telegram.org", path),
    body: {
      chat_id: moved ?? outgoing.fill(chat).trim(),
      text: text ?? telegramText(outgoing),
      parse_mode: text === undefined ? undefined : "HTML",
      link_preview_options: { is_disabled: true },
      disable_notification: outgoing.isWithoutSound || undefined,
    },
    note: moved && `the group became a supergroup: put ${number} into chat-id`,
    otherwise(answer) {
      const id = findWithin(parseAnswer(answer), "parameters", "migrate_to_chat_id");
      if (id !== undefined && String(id) !== moved) {
        return sendMessage(outgoing, { text, moved: String(id) });
      }
      const isWrong = text !== undefined && /can't parse entities/i.test(answer.body);
      return isWrong ? sendMessage(outgoing, { moved }) : undefined;
    },
  };
}

/** Telegram counts after the entities are read, so that HTML of this length always fits. */
const LONGEST = 4_096;
/** A tag, or a character that is escaped. */
const MARKUP = /<[^<>]*>|&\w+;/g;
const LIMITS = { separator: "\n\n", longest: LONGEST };
const LONGEST_HEADLINE = 300;
const LONGEST_REASON = 600;
const LONGEST_FACT = 500;
const LONGEST_SUMMARY = 200;

/** Renders a message as HTML; `undefined` if a template makes it too long. */
function telegramHtml(outgoing: Outgoing): string | undefined {
  const text = outgoing.chatText({
    ...LIMITS,
    escape: (value) => escapeMarkup(withGaps(value)),
    escapeAddress: escapeMarkup,
    link,
  });
  if (text !== undefined) return text.length <= LONGEST ? text : undefined;
  const { language, text: { headline, lines, only } } = outgoing;
  if (only) {
    const fits = (html: string) => html.replaceAll(MARKUP, " ").length <= LONGEST;
    return cutParts((longest) => eventHtml(only, longest, language), fits, LONGEST_FACT);
  }
  const title = `<b>${escaped(headline, LONGEST_HEADLINE)}</b>`;
  const all = [title, ...lines.map((one) => summaryHtml(one, language))];
  return joinFitting(all, { ...LIMITS, language });
}

/** Renders a message without markup, which Telegram always accepts. */
function telegramText(outgoing: Outgoing): string {
  const texts = outgoing.text.lines.map(({ sign, summary }) => `${sign} ${withGaps(summary)}`);
  const text = outgoing.chatText({
    ...LIMITS,
    escape: withGaps,
    escapeAddress: (value) => value,
  });
  return cutText(text ?? joinFitting(texts, { ...LIMITS, language: outgoing.language }), LONGEST);
}

function eventHtml(text: EventText, longestFact: number, language: Language): string {
  const { sign, headline, dated, event, links } = text;
  const details = dated.facts.map(({ name, label, value: text }) => {
    const value = name === "address" ? code(text, longestFact) : escaped(text, longestFact);
    return sayFact({ name, label, value }, language);
  });
  return [
    `${sign} <b>${escaped(headline, LONGEST_HEADLINE)}</b>`,
    ...reasonLines(event.kind === "up" ? text : { ...text, time: "" }, LONGEST_REASON, language),
    ...isOfSite(event) ? details : [],
    ...links.length === 0 ? [] : [links.map(link).join(" · ")],
  ].join("\n");
}

function summaryHtml(text: EventText, language: Language): string {
  const { sign, headline, links } = text;
  const last = [...reasonLines(text, LONGEST_SUMMARY, language), ...links.slice(0, 1).map(link)];
  const title = escaped(headline, LONGEST_SUMMARY);
  return text.event.kind === "report"
    ? [`${sign} ${title}`, ...last].join(" · ")
    : `${sign} <b>${title}</b>\n${last.join(" · ")}`;
}

/** Texts of third parties are shown as code, in which Telegram finds no markup, unlike our own. */
function reasonLines(
  { event, error, time, context }: EventText,
  longest: number,
  language: Language,
): string[] {
  const isOurs = event.kind === "notice" || event.kind === "test" ||
    (event.kind !== "up" && event.flapping !== undefined);
  const what = error === "" ? [] : [isOurs ? escaped(error, longest) : code(error, longest)];
  return [joinTexts("commaBetween", [...what, time], language), escaped(context, longest)]
    .filter((line) => line !== "");
}

function escaped(value: string, longest: number): string {
  return escapeMarkup(cutText(withGaps(value), longest));
}

function code(value: string, longest: number): string {
  return `<code>${escapeMarkup(cutText(plainText(value), longest))}</code>`;
}

function link({ text, address }: EventText["links"][number]): string {
  return `<a href="${escapeMarkup(address)}">${escapeMarkup(text)}</a>`;
}
