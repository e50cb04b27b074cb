import type { Sending } from "../channels/channel.ts";
import { USUAL_SENDING_PACE } from "../channels/http/pace.ts";
import { CHANNELS } from "../channels/mod.ts";
import { type Carrier, CarrierError, type Receipt } from "../outbox/effect.ts";
import type { Means, MessageMeans } from "../outbox/means.ts";
import { missingSecretsOf } from "./channel_secrets.ts";
import type { Message } from "./message.ts";
import { type MessageEffect, parseMessageEffect } from "./message_effect.ts";

/** Sends messages to the channels of the configuration. */
export function messageCarrier({ messages: means }: Means): Carrier {
  const budgets = new Map<string, Budget>();
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
      spend(budgets, effect.channel, { type: notification.type, sending: means.sending });
      return { answer: await channel.send(notification, message, means.sending) };
    },
  };
}

/** What a run has sent to a channel, and until when it may, in milliseconds of the clock. */
interface Budget {
  end: number;
  sent: number;
}

/** Ends the messages of a channel that takes too long over all of them; the next run sends the others. */
function spend(
  budgets: Map<string, Budget>,
  key: string,
  { type, sending: { clock, pace = USUAL_SENDING_PACE } }: { type: string; sending: Sending },
): void {
  const now = clock.elapsed();
  const budget = budgets.get(key) ?? { end: now + pace.budget, sent: 0 };
  if (now > budget.end) {
    throw new CarrierError(
      `${type} took ${budget.sent} messages in ${
        pace.budget / 1000
      } s, and this one is left for the next run`,
      { prospect: "passing" },
    );
  }
  budgets.set(key, { ...budget, sent: budget.sent + 1 });
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
