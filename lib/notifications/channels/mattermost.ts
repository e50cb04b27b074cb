import { renderAttachedMessage } from "./chat_attachments.ts";
import { httpChannel } from "./http/http_channel.ts";

/** Mattermost splits a longer text into several posts. */
const LONGEST_TEXT = 16_000;
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
    body: renderAttachedMessage(outgoing, {
      mark: "**",
      longestText: LONGEST_TEXT,
      longestAttachments: LONGEST_ATTACHMENTS,
    }),
  }],
  confirms: ({ body }) => body.trim() === "ok",
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
