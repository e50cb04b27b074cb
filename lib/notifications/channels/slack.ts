import { plainText } from "../../text/plain_text.ts";
import { cutText, fitParts } from "../fit_text.ts";
import { isOfSite, type MessageView } from "../message.ts";
import { EVENT_COLORS, type EventText, toTimeFact } from "../message_text.ts";
import { escapeControl, escapeMrkdwn, MRKDWN_WHOLE } from "./escape.ts";
import { findWithin, parseAnswer } from "./http/delivery.ts";
import { httpChannel } from "./http/http_channel.ts";
import type { HttpRequest } from "./http/request.ts";
import type { Language } from "../../text/language.ts";
import type { Outgoing } from "./outgoing.ts";

/**
 * An incoming webhook of Slack (docs.slack.dev/messaging/sending-messages-using-incoming-webhooks), or
 * of what takes the same messages, or a bot. A webhook is sent `channel` along, which only legacy ones look
 * at.
 */
export const slack = httpChannel({
  vendor: "Slack",
  requests(outgoing) {
    if (isBot(outgoing)) return [botRequest(outgoing)];
    return [{ address: outgoing.webhookUrl(), body: slackMessage(outgoing) }];
  },
  statusOf(answer) {
    const json = parseAnswer(answer);
    if (answer.status >= 300 || findWithin(json, "ok") !== false) return answer.status;
    const error = String(findWithin(json, "error"));
    if (error === "ratelimited") return 429;
    return TRANSIENT.test(error) ? 503 : 400;
  },
  cures: [
    {
      says: /^(?:no_service|no_service_id|no_team|invalid_token)/,
      cure: "the webhook was deleted or is disabled: make a new one and change webhook-url",
    },
    {
      says: /^(?:channel_not_found|channel_is_archived|user_not_found)/,
      cure: "the channel is gone or archived: restore it, or change webhook-url or channel",
    },
    {
      says: /^(?:action_prohibited|posting_to_general_channel_denied|team_disabled)/,
      cure:
        "an administrator of the workspace does not allow this: ask one, or use another channel",
    },
    {
      says: /"(?:invalid_auth|not_authed|account_inactive|token_revoked|token_expired)"/,
      cure: "the token is wrong or was revoked: install the app again and change bot-token",
    },
    { says: /"not_in_channel"/, cure: "invite the bot to the channel" },
    {
      says: /"(?:channel_not_found|is_archived)"/,
      cure: "check channel, and invite the bot to it",
    },
    { says: /"missing_scope"/, cure: "give the app the scope chat:write and install it again" },
  ],
});

/** Errors of Slack itself (docs.slack.dev/reference/methods/chat.postMessage#errors). */
const TRANSIENT = /^(?:fatal_error|internal_error|service_unavailable|request_timeout)$/;

function isBot({ notification }: Outgoing): boolean {
  return notification["bot-token"] !== undefined;
}

function botRequest(outgoing: Outgoing): HttpRequest {
  return {
    address: outgoing.apiUrl("https://slack.com", "/api/chat.postMessage"),
    headers: {
      Authorization: `Bearer ${outgoing.credential(outgoing.notification["bot-token"])}`,
      "Content-Type": "application/json; charset=utf-8",
    },
    body: slackMessage(outgoing),
  };
}

/** Limits of Block Kit, in UTF-16 units. */
const LONGEST_SECTION = 3_000;
const LONGEST_FIELD = 2_000;
const LONGEST_ADDRESS = 900;
const LONGEST_SUMMARY = 400;
/** Slack allows 40,000, and advises 4,000 (docs.slack.dev/reference/methods/chat.postMessage). */
const LONGEST_TEXT = 3_500;
/** Blocks of a message; Slack allows 50. */
const MOST_BLOCKS = 48;
/** Above about 13,000 characters of blocks Slack answers `msg_blocks_too_long`. */
const LONGEST_BLOCKS = 9_000;

/**
 * Renders the headline as the text, which notifications show, and the rest as attachments in the colors
 * of the events. Texts of third parties are plain text objects, without markup.
 */
function slackMessage(outgoing: Outgoing) {
  const { headline, events, lines, only } = outgoing.text;
  const { channel } = outgoing.notification;
  const text = outgoing.chatText({
    escape: escapeMrkdwn,
    escapeAddress: escapeControl,
    link: markLink,
    separator: "\n",
    longest: LONGEST_TEXT,
    whole: MRKDWN_WHOLE,
  });
  const attachments = only
    ? [toAttachment([only], eventBlocks(only, outgoing.view))]
    : summaries(lines, outgoing.language);
  return {
    text: text ??
      cutText(`${events[0]!.sign} ${escapeControl(headline)}`, LONGEST_TEXT, MRKDWN_WHOLE),
    mrkdwn: text !== undefined,
    ...channel === undefined ? {} : { channel: outgoing.fill(channel) },
    attachments: text === undefined ? attachments : [],
    unfurl_links: false,
    unfurl_media: false,
  };
}

/** Blocks of several events by state, one each, as many as fit. */
function summaries(events: readonly EventText[], language: Language) {
  const { parts, more } = fitParts(events, (some) => {
    const blocks = some.map(summaryBlock);
    return blocks.length <= MOST_BLOCKS && JSON.stringify(blocks).length <= LONGEST_BLOCKS;
  }, language);
  const kinds = [...Map.groupBy(parts, ({ event }) => event.kind).values()];
  const last = more === undefined ? [] : [{ type: "section", text: plain(more, LONGEST_SECTION) }];
  return kinds.map((some, index) =>
    toAttachment(some, [
      ...some.map(summaryBlock),
      ...index === kinds.length - 1 ? last : [],
    ])
  );
}

function toAttachment(events: readonly EventText[], blocks: unknown[]) {
  const fallback = events.map(({ summary }) => summary).join("\n");
  return {
    color: EVENT_COLORS[events[0]!.event.kind],
    fallback: cutText(escapeControl(fallback), LONGEST_TEXT, MRKDWN_WHOLE),
    blocks,
  };
}

/** Renders one event with all its facts (docs.slack.dev/reference/block-kit/blocks). */
function eventBlocks(
  { reason, event, times, facts, links }: EventText,
  view: MessageView,
): unknown[] {
  const { language } = view;
  const time = toTimeFact(times, { show: (at) => moment(at, view), language });
  const fields = [
    mrkdwn(`*${time.label}*\n${time.value}`),
    ...facts.map(({ label, value }) => plain(`${label}\n${plainText(value)}`, LONGEST_FIELD)),
  ];
  return [
    ...reason === "" ? [] : [{ type: "section", text: plain(reason, LONGEST_SECTION) }],
    ...isOfSite(event) ? [{ type: "section", fields }] : [],
    ...toLinks(links).map((text) => ({ type: "section", text })),
  ];
}

function summaryBlock({ summary, links }: EventText) {
  const text = plain(summary, LONGEST_SUMMARY);
  const [link] = toLinks(links.slice(0, 1));
  return link === undefined ? { type: "section", text } : { type: "section", fields: [text, link] };
}

/**
 * Links in one text, if there are any. A button would show a warning when it is pressed, because no
 * server of ours answers that (docs.slack.dev/reference/block-kit/block-elements/button-element).
 */
function toLinks(links: EventText["links"]) {
  const shown = links.filter(({ address }) => address.length <= LONGEST_ADDRESS)
    .map(markLink);
  return shown.length === 0 ? [] : [mrkdwn(shown.join(" · "))];
}

function markLink({ text, address }: EventText["links"][number]): string {
  return `<${escapeControl(address).replaceAll("|", "%7C")}|${escapeControl(text)}>`;
}

/** A moment that each reader sees in their own time zone. */
function moment(time: string, view: MessageView): string {
  const seconds = Math.floor(Date.parse(time) / 1000);
  const fallback = view.language.moment(Temporal.Instant.from(time), view);
  return `<!date^${seconds}^{date_short_pretty} {time}|${fallback}>`;
}

function mrkdwn(text: string) {
  return { type: "mrkdwn", text, verbatim: true };
}

function plain(text: string, longest: number) {
  return { type: "plain_text", text: cutText(text, longest), emoji: false };
}
