import { cutText } from "../fit_text.ts";
import { renderAttachments } from "./chat_attachments.ts";
import { escapeChat } from "./escape.ts";
import { httpChannel } from "./http/http_channel.ts";
import type { Outgoing } from "./outgoing.ts";

/** Mattermost splits a longer text into several posts. */
const LONGEST_TEXT = 16_000;
const LONGEST_HEADLINE = 400;
/** Older servers keep 8,000 characters of attachments. */
const LONGEST_ATTACHMENTS = 7_000;

/**
 * An incoming webhook of Mattermost (developers.mattermost.com/integrate/webhooks/incoming). Besides its own
 * mentions it understands those of Slack, so names and errors have neither.
 */
export const mattermost = httpChannel({
  vendor: "Mattermost",
  requests: (outgoing) => [{
    address: outgoing.webhookUrl(),
    body: mattermostMessage(outgoing),
  }],
  confirms: ({ body }) => !/^\s*</.test(body),
  cures: [
    {
      says: /incoming_webhook\.(?:invalid|get_incoming)/,
      cure: "the webhook was deleted: make a new one and change webhook-url",
    },
    {
      says: /incoming_webhook\.(?:channel|permissions)/,
      cure: "the channel is gone, or the webhook may not post there: check channel and webhook",
    },
  ],
});

function mattermostMessage(outgoing: Outgoing) {
  const { headline, events } = outgoing.text;
  const { channel } = outgoing.notification;
  const text = outgoing.templateTexts({
    escape: escapeChat,
    separator: "\n",
    longest: LONGEST_TEXT,
  });
  const own = `${events[0]!.sign} **${cutText(escapeChat(headline), LONGEST_HEADLINE)}**`;
  return {
    text: text === undefined ? own : cutText(text, LONGEST_TEXT),
    ...channel === undefined ? {} : { channel: outgoing.fill(channel) },
    attachments: text === undefined ? renderAttachments(events, LONGEST_ATTACHMENTS) : [],
  };
}
