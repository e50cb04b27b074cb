import type { Channel } from "./channel.ts";
import { httpChannel } from "./http/http_channel.ts";
import { slackMessage } from "./slack/message.ts";

/**
 * An incoming webhook of Slack (docs.slack.dev/messaging/sending-messages-using-incoming-webhooks), or
 * of what takes the same messages. `channel` is sent along, which only legacy webhooks look at.
 */
export const slack: Channel = httpChannel({
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
