import { cutText } from "../../cut_text.ts";
import { fitParts } from "../../fit_parts.ts";
import { importantFirst } from "../../important_first.ts";
import { tell, type ToldEvent } from "../../tell.ts";
import type { Outgoing } from "../http/http_channel.ts";
import { textByTemplate } from "../told_by_template.ts";
import { eventBlocks, type SlackBlock, summaryBlock } from "./blocks.ts";
import { escapeControl, escapeMrkdwn, MRKDWN_WHOLE } from "./escape.ts";

/** The body of a webhook, as far as we use it. */
export interface SlackMessage {
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
 * What Slack is told: the headline as the text, which notifications show, and the rest in an attachment
 * with the colour of what happened. Words of others stand in plain text objects, which know no markup.
 */
export function slackMessage(outgoing: Outgoing): SlackMessage {
  const { notification, message, sending, filler } = outgoing;
  const events = importantFirst(message.events);
  const { headline, events: told } = tell({ ...message, events }, sending.places);
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

/** Several events, by what happened: each with a block, as far as they fit. */
function summaries(told: readonly ToldEvent[]): SlackMessage["attachments"] {
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
  told: readonly ToldEvent[],
  blocks: SlackBlock[],
): SlackMessage["attachments"][number] {
  const fallback = told.map(({ headline, sentence }) => `${headline}: ${sentence}`).join("\n");
  return {
    color: COLOURS[told[0]!.event.kind],
    fallback: cutText(escapeControl(fallback), LONGEST_TEXT, MRKDWN_WHOLE),
    blocks,
  };
}
