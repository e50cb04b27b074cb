import type { Channel } from "./channel.ts";
import { discordMessage } from "./discord/message.ts";
import { httpChannel } from "./http/http_channel.ts";

/**
 * A webhook of Discord (discord.com/developers/docs/resources/webhook#execute-webhook). Without `wait` a
 * message that is not kept would be no error; a query of the address, such as `thread_id`, stays.
 */
export const discord: Channel = httpChannel({
  vendor: "Discord",
  requests: (outgoing) => [{
    method: "POST",
    address: outgoing.filler.address(outgoing.notification["webhook-url"] ?? ""),
    query: { wait: "true" },
    body: discordMessage(outgoing),
  }],
  cures: [
    {
      says: /"code":\s*(?:10015|50027)\b/,
      cure: "the webhook was deleted: make a new one and change webhook-url",
    },
    {
      says: /"code":\s*220001\b|thread_name or thread_id/,
      cure: "the channel is a forum: add ?thread_id= and the number of a thread to webhook-url",
    },
    {
      says: /"code":\s*(?:10003|160005|50083)\b/,
      cure:
        "the channel or thread is gone, locked or archived: open it again, or change webhook-url",
    },
  ],
});
