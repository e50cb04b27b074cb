import { plainText } from "../../text/plain_text.ts";
import { cutText, joinFitting } from "../fit_text.ts";
import { isOfSite } from "../message.ts";
import { type EventText, sayFact, toTimeFact } from "../message_text.ts";
import { joinTexts } from "../recorded_words.ts";
import type { Language } from "../../text/language.ts";
import { link } from "./chat_attachments.ts";
import { escapeChat } from "./escape.ts";
import { findWithin, parseAnswer } from "./http/delivery.ts";
import { httpChannel } from "./http/http_channel.ts";
import { SettingError } from "./channel.ts";
import type { Outgoing } from "./outgoing.ts";

const LONGEST_TEXT = 10_000;
const LONGEST_TOPIC = 60;
const LONGEST_HEADLINE = 400;
const LONGEST_REASON = 600;
const LONGEST_FACT = 300;
const LONGEST_SUMMARY = 200;
/** Several events together, so that a reader still sees the end. */
const LONGEST_SUMMARIES = 5_000;

/**
 * A bot of Zulip (zulip.com/api/send-message). Each site has a topic, unless one is configured. The address
 * may be that of the API with `to` and `topic` in its query, as Upptime has it.
 */
export const zulip = httpChannel({
  vendor: "Zulip",
  requests(outgoing) {
    const { notification } = outgoing;
    const address = outgoing.apiUrl("", "/api/v1/messages");
    const email = outgoing.fill(notification["bot-email"] ?? "").trim();
    return [{
      address,
      headers: { Authorization: `Basic ${email}:${outgoing.credential(notification["api-key"])}` },
      form: { ...toDestination(outgoing, address), content: zulipText(outgoing) },
    }];
  },
  confirms: (answer) => findWithin(parseAnswer(answer), "result") === "success",
  statusOf(answer) {
    const json = parseAnswer(answer);
    if (answer.status !== 200 || findWithin(json, "result") !== "error") return answer.status;
    return findWithin(json, "code") === "RATE_LIMIT_HIT" ? 429 : 400;
  },
  cures: [
    { status: 401, cure: "the bot is unknown or disabled: check bot-email, api-key and url" },
    {
      says: /"code":\s*"(?:BAD_REQUEST|STREAM_DOES_NOT_EXIST|CHANNEL_DOES_NOT_EXIST)"/,
      cure: "check channel, and whether the bot may post there",
    },
  ],
});

/**
 * The fields that say where a message goes. What the query of the address says counts if it is not configured.
 *
 * @throws {EffectError} If neither names a channel.
 */
function toDestination(outgoing: Outgoing, address: string): Record<string, string> {
  const { notification: { channel, topic } } = outgoing;
  const query = URL.parse(address)?.searchParams;
  if (channel === undefined && !query?.has("to") && !outgoing.isPreview) {
    throw new SettingError("Zulip", "channel is missing, and url has no to= in its query");
  }
  const own = topic === undefined ? defaultTopic(outgoing) : outgoing.fill(topic);
  return {
    ...channel === undefined ? {} : { type: "stream", to: outgoing.fill(channel) },
    ...topic === undefined && query?.has("topic")
      ? {}
      : { topic: cutText(plainText(own), LONGEST_TOPIC) },
  };
}

/** The name of the site, so that all about it is in one topic; for several sites that of the monitor. */
function defaultTopic({ text: { events }, sending: { monitor, title = monitor } }: Outgoing) {
  const names = new Set(events.map(({ event }) => event.name));
  return names.size === 1 ? [...names][0]! : title;
}

function zulipText(outgoing: Outgoing): string {
  const { language, text: { headline, events, lines, only } } = outgoing;
  const text = outgoing.chatText({
    escape: escapeChat,
    link,
    separator: "\n",
    longest: LONGEST_TEXT,
  });
  if (text !== undefined) return cutText(text, LONGEST_TEXT);
  if (only) return eventText(only, language);
  const title = `${events[0]!.sign} **${cutText(escapeChat(headline), LONGEST_HEADLINE)}**`;
  return joinFitting([title, ...lines.map((one) => summary(one, language))], {
    separator: "\n",
    longest: LONGEST_SUMMARIES,
    language,
  });
}

function eventText(
  { sign, headline, reason, event, times, facts, links }: EventText,
  language: Language,
): string {
  const details = [
    toTimeFact(times, { show: moment, language }),
    ...facts.map((fact) => ({ ...fact, value: cutText(escapeChat(fact.value), LONGEST_FACT) })),
  ].map((fact) => `* ${sayFact(fact, language)}`);
  return [
    `${sign} **${cutText(escapeChat(headline), LONGEST_HEADLINE)}**`,
    cutText(escapeChat(reason), LONGEST_REASON),
    ...isOfSite(event) ? details : [],
    links.map(link).join(" · "),
  ].filter((line) => line !== "").join("\n");
}

function summary({ sign, brief, event, links }: EventText, language: Language): string {
  const own = cutText(escapeChat(brief), LONGEST_SUMMARY);
  return [
    event.kind === "report"
      ? `* ${own}`
      : `* ${sign} ${joinTexts("commaBetween", [own, moment(event.since)], language)}`,
    ...links.slice(0, 1).map(link),
  ].join(" · ");
}

/** A moment that each reader sees in their own time zone. */
function moment(time: string): string {
  return `<time:${time}>`;
}
