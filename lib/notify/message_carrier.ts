import { CHANNELS } from "../channels/mod.ts";
import { type Carrier, CarrierError, type Receipt } from "../outbox/effect.ts";
import type { Means, MessageMeans } from "../outbox/means.ts";
import { missingSecretsOf } from "./channel_secrets.ts";
import type { Message } from "./message.ts";
import { type MessageEffect, parseMessageEffect } from "./message_effect.ts";

/** Sends messages to the channels of the configuration. */
export function messageCarrier({ messages: means }: Means): Carrier {
  return {
    claimMinutes: 3,
    lacks({ data }) {
      const key = parseMessageEffect(data)?.channel ?? "";
      if (means === undefined || (means.isPartial && !means.channels.has(key))) {
        return "the configuration of its channel";
      }
      const missing = missingSecretsOf(means.channels.get(key), means.sending.secrets);
      return missing.length === 0 ? undefined : `a value for $${missing.join(", $")}`;
    },
    async carry({ data }): Promise<Receipt> {
      const effect = parseMessageEffect(data);
      if (effect === undefined) {
        const message = "Cannot send a message: another version of the program planned it";
        throw new CarrierError(message, { prospect: "final" });
      }
      const notification = means?.channels.get(effect.channel);
      if (notification === undefined || means === undefined) return { isUnlisted: true };
      const channel = CHANNELS[notification.type];
      const message = await withIssues(effect, means);
      return { answer: await channel.send(notification, message, means.sending) };
    },
  };
}

/** The message with the issues that were opened since it was planned. */
async function withIssues(
  { message }: MessageEffect,
  { issues }: MessageMeans,
): Promise<Message> {
  await Promise.all(message.events.map(({ incident }) => issues.settled?.(incident)));
  const events = message.events.map((event) => ({
    ...event,
    issue: issues.get(event.incident) ?? event.issue,
  }));
  return { ...message, events };
}
