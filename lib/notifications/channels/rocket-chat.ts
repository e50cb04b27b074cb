import { renderAttachedMessage } from "./chat_attachments.ts";
import { findWithin, parseAnswer } from "./http/delivery.ts";
import { httpChannel } from "./http/http_channel.ts";

/** Characters of a message, unless the server's Message_MaxAllowedSize is another. */
const LONGEST_TEXT = 5_000;
const LONGEST_ATTACHMENTS = 4_500;

/**
 * An incoming integration of Rocket.Chat (docs.rocket.chat/docs/integrations). It accepts a message without
 * content and posts nothing, so there always is a text.
 */
export const rocketChat = httpChannel({
  vendor: "Rocket.Chat",
  requests: (outgoing) => [{
    address: outgoing.webhookUrl(),
    body: {
      ...renderAttachedMessage(outgoing, {
        mark: "*",
        longestText: LONGEST_TEXT,
        longestAttachments: LONGEST_ATTACHMENTS,
      }),
      parseUrls: false,
    },
  }],
  confirms: (answer) => findWithin(parseAnswer(answer), "success") === true,
  statusOf: (answer) =>
    answer.status === 200 && findWithin(parseAnswer(answer), "success") === false
      ? 400
      : answer.status,
  waitOf({ status, headers }, now) {
    const reset = Number(headers.get("X-RateLimit-Reset") ?? NaN);
    return status === 429 && reset > 0 ? Math.max(0, reset - now.epochMilliseconds) : undefined;
  },
  cures: [
    {
      says: /invalid integration/i,
      cure: "the integration was deleted: make a new one and change webhook-url",
    },
    {
      says: /invalid-channel|channel_not_found|not-allowed|overwriting destination/i,
      cure: "the integration may not post there: check channel and the integration",
    },
  ],
});
