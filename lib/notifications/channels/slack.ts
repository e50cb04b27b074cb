import { plainText } from "../../text/plain_text.ts";
import { cutText, fitParts, importantFirst } from "../fit_text.ts";
import { isOfSite } from "../message.ts";
import { type EventText, renderMessage } from "../message_text.ts";
import { type Outgoing, textByTemplate } from "../templates.ts";
import type { ChannelSender } from "./channel.ts";
import { escapeControl, escapeMrkdwn, MRKDWN_WHOLE } from "./escape.ts";
import { httpChannel } from "./http/http_channel.ts";

/**
 * An incoming webhook of Slack (docs.slack.dev/messaging/sending-messages-using-incoming-webhooks), or
 * of what takes the same messages. `channel` is sent along, which only legacy webhooks look at.
 */
export const slack: ChannelSender = httpChannel({
  vendor: "Slack",
  requests: (outgoing) => [{
    method: "POST",
    address: outgoing.filler.address(outgoing.notification["webhook-url"] ?? ""),
    body: slackMessage(outgoing),
  }],
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
  ],
});

/** A text object; plain ones know no markup. */
type SlackText =
  | { type: "plain_text"; text: string; emoji?: false }
  | { type: "mrkdwn"; text: string; verbatim: true };

/** The blocks we use (docs.slack.dev/reference/block-kit/blocks). */
type SlackBlock =
  | { type: "section"; text?: SlackText; fields?: SlackText[] }
  | { type: "context"; elements: SlackText[] };

/** Limits of Block Kit, in UTF-16 units. */
const LONGEST_SECTION = 3_000;
const LONGEST_FIELD = 2_000;
const LONGEST_ADDRESS = 900;
const MOST_FIELDS = 10;
const LONGEST_SUMMARY = 400;

/** Renders one event with all its facts. */
function eventBlocks(told: EventText): SlackBlock[] {
  const { reason, event, facts } = told;
  const fields = [since(event.since, told.since), ...facts.map(fact)].slice(0, MOST_FIELDS);
  const linked = links(told);
  return [
    ...(reason === ""
      ? []
      : [{ type: "section", text: plain(reason, LONGEST_SECTION) } satisfies SlackBlock]),
    ...(isOfSite(event) ? [{ type: "section", fields } satisfies SlackBlock] : []),
    ...(linked === undefined ? [] : [{ type: "section", text: linked } satisfies SlackBlock]),
  ];
}

/** Renders one of several events. */
function summaryBlock(told: EventText): SlackBlock {
  const text = plain(`${told.headline}: ${told.sentence}`, LONGEST_SUMMARY);
  const linked = links({ links: told.links.slice(0, 1) });
  return linked === undefined
    ? { type: "section", text }
    : { type: "section", fields: [text, linked] };
}

/** A moment that each reader sees in their own time zone. */
function since(time: string, readable: string): SlackText {
  const seconds = Math.floor(Temporal.Instant.from(time).epochMilliseconds / 1000);
  return {
    type: "mrkdwn",
    text: `*Since*\n<!date^${seconds}^{date_short_pretty} {time}|${readable}>`,
    verbatim: true,
  };
}

function fact({ label, value }: EventText["facts"][number]): SlackText {
  return plainLines([label, value], LONGEST_FIELD);
}

function plain(text: string, longest: number): SlackText {
  return plainLines([text], longest);
}

function plainLines(lines: readonly string[], longest: number): SlackText {
  const text = lines.map(plainText).join("\n");
  return { type: "plain_text", text: cutText(text, longest), emoji: false };
}

/**
 * Links as text. A button would show a warning to whoever presses it, because no server of ours answers
 * that (docs.slack.dev/reference/block-kit/block-elements/button-element).
 */
function links({ links }: Pick<EventText, "links">): SlackText | undefined {
  const shown = links.filter(({ address }) => address.length <= LONGEST_ADDRESS)
    .map(({ text, address }) =>
      `<${escapeControl(address).replaceAll("|", "%7C")}|${escapeControl(text)}>`
    );
  if (shown.length === 0) return undefined;
  return { type: "mrkdwn", text: shown.join(" · "), verbatim: true };
}

/** The body of a webhook, as far as we use it. */
interface SlackMessage {
  text: string;
  mrkdwn: boolean;
  channel?: string;
  attachments: { color: string; fallback: string; blocks: SlackBlock[] }[];
  unfurl_links: false;
  unfurl_media: false;
}

const COLOURS = {
  down: "#c13737",
  degraded: "#d29922",
  up: "#2e9e5b",
  notice: "#d29922",
  test: "#3b82c4",
} as const;
/** Slack allows 40,000, and advises 4,000 (docs.slack.dev/reference/methods/chat.postMessage). */
const LONGEST_TEXT = 3_500;
/** Blocks of a message; Slack allows 50. */
const MOST_BLOCKS = 48;
/** Above about 13,000 characters of blocks Slack answers `msg_blocks_too_long`. */
const LONGEST_BLOCKS = 9_000;

/**
 * Renders the headline as the text, which notifications show, and the rest as an attachment in the colour
 * of the event. Texts of third parties are plain text objects, which have no markup.
 */
function slackMessage(outgoing: Outgoing): SlackMessage {
  const { notification, message, sending, filler } = outgoing;
  const events = importantFirst(message.events);
  const { headline, events: told } = renderMessage({ ...message, events }, sending.places);
  const { channel } = notification;
  const common = { unfurl_links: false, unfurl_media: false } as const;
  const to = channel === undefined ? {} : { channel: filler.text(channel) };
  const byTemplate = textByTemplate(outgoing, {
    escape: escapeMrkdwn,
    escapeAddress: escapeControl,
    separator: "\n",
    longest: LONGEST_TEXT,
    whole: MRKDWN_WHOLE,
  });
  if (byTemplate !== undefined) {
    return { text: byTemplate, mrkdwn: true, ...to, attachments: [], ...common };
  }
  const sign = told[0]!.sign;
  return {
    text: cutText(`${sign} ${escapeControl(headline)}`, LONGEST_TEXT, MRKDWN_WHOLE),
    mrkdwn: false,
    ...to,
    attachments: told.length === 1 ? [attachment(told, eventBlocks(told[0]!))] : summaries(told),
    ...common,
  };
}

/** Groups several events by state, a block each, as many as fit. */
function summaries(told: readonly EventText[]): SlackMessage["attachments"] {
  const { parts, more } = fitParts(told, (some) => {
    const blocks = some.map(summaryBlock);
    return blocks.length <= MOST_BLOCKS && JSON.stringify(blocks).length <= LONGEST_BLOCKS;
  });
  const kinds = Map.groupBy(parts, ({ event }) => event.kind);
  const attachments = [...kinds.values()].map((some) => attachment(some, some.map(summaryBlock)));
  if (more !== undefined) {
    attachments.at(-1)!.blocks.push({
      type: "context",
      elements: [{ type: "plain_text", text: more }],
    });
  }
  return attachments;
}

function attachment(
  told: readonly EventText[],
  blocks: SlackBlock[],
): SlackMessage["attachments"][number] {
  const fallback = told.map(({ headline, sentence }) => `${headline}: ${sentence}`).join("\n");
  return {
    color: COLOURS[told[0]!.event.kind],
    fallback: cutText(escapeControl(fallback), LONGEST_TEXT, MRKDWN_WHOLE),
    blocks,
  };
}
