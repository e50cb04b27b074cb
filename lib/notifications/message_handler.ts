import type { Notification } from "../config/channels/keys.ts";
import type { Clock } from "../io/clock.ts";
import type { IssueNumbers } from "../incidents/issue_handler.ts";
import { type Effect, EffectError, type EffectHandler, type Receipt } from "../outbox/effect.ts";
import { findMissingSecrets } from "./channel_problems.ts";
import { type Sending, USUAL_SENDING_PACE } from "./channels/channel.ts";
import { loadSender } from "./channels/mod.ts";
import { isQuiet } from "./gate.ts";
import type { Message } from "./message.ts";
import { type MessageEffect, parseMessageEffect } from "./message_effects.ts";

export interface MessageDependencies {
  channels: ReadonlyMap<string, Notification>;
  /** True if there may be other channels, whose messages wait for a run that knows them. */
  isPartial: boolean;
  sending: Sending;
  /** Numbers of issues by incident; a message waits for those that are being opened. */
  issues: { get(incident: string): number | undefined } & Partial<Pick<IssueNumbers, "settled">>;
}

/** Creates the handler that sends messages; without dependencies they wait. */
export function createMessageHandler(messages: MessageDependencies | undefined): EffectHandler {
  const spent = new Map<string, Spent>();
  return {
    claimMinutes: 3,
    findObstacle({ data }) {
      const key = parseMessageEffect(data)?.channel ?? "";
      if (messages === undefined || (messages.isPartial && !messages.channels.has(key))) {
        return "the configuration of its channel";
      }
      const missing = findMissingSecrets(messages.channels.get(key), messages.sending.secrets);
      return missing.length === 0 ? undefined : `a value for $${missing.join(", $")}`;
    },
    async execute({ data }): Promise<Receipt> {
      const effect = parseMessageEffect(data);
      if (effect === undefined) {
        const message = "Cannot send a message: another version of the program planned it";
        throw new EffectError(message, { kind: "permanent" });
      }
      const notification = messages?.channels.get(effect.channel);
      if (notification === undefined || messages === undefined) return { isUnlisted: true };
      const channel = await loadSender(notification.type);
      const message = await withIssues(effect, messages);
      const { sending } = messages;
      const before = spent.get(effect.channel) ?? { sent: 0, time: 0 };
      assertBudget(before, { type: notification.type, sending });
      const start = sending.clock.elapsed();
      let refused: string | undefined;
      const answer = await channel.send(notification, message, {
        ...sending,
        onRefused: (recipients) => refused = recipients,
      });
      const time = before.time + sending.clock.elapsed() - start;
      spent.set(effect.channel, { sent: before.sent + 1, time });
      return { answer, ...refused === undefined ? {} : { refused } };
    },
  };
}

/** Creates the handler that sends reports, which wait in quiet hours. */
export function createReportHandler(
  messages: MessageDependencies | undefined,
  clock: Clock,
): EffectHandler {
  const handler = createMessageHandler(messages);
  return {
    ...handler,
    findObstacle(effect) {
      const { channel, timezone } = effect.data;
      const hours = messages?.channels.get(String(channel))?.quiet;
      const zone = typeof timezone === "string" ? { timezone } : {};
      const isLater = hours !== undefined && isQuiet({ ...zone, ...hours }, clock.now());
      return handler.findObstacle!(effect) ??
        (isLater ? "the end of the quiet hours of its channel" : undefined);
    },
  };
}

/** Messages that a run has sent to a channel, and the milliseconds that this took. */
interface Spent {
  sent: number;
  time: number;
}

/** Fails if a channel took too long over all messages of a run; the next run sends the others. */
function assertBudget(
  { sent, time }: Spent,
  { type, sending: { pace = USUAL_SENDING_PACE } }: { type: string; sending: Sending },
): void {
  if (time <= pace.budget) return;
  throw new EffectError(
    `${type} took ${sent} messages in ${pace.budget / 1000} s; the next run sends this one`,
    { kind: "transient" },
  );
}

async function withIssues(
  { message }: MessageEffect,
  { issues }: MessageDependencies,
): Promise<Message> {
  await Promise.all(message.events.map(({ incident }) => issues.settled?.(incident)));
  const events = message.events.map((event) => ({
    ...event,
    issue: issues.get(event.incident) ?? event.issue,
  }));
  return { ...message, events };
}

/** The payload that an effect would send, without secrets; `undefined` if it is no message to a known channel. */
export async function previewMessage(
  { handler, data }: Effect,
  { channels, sending }: Pick<MessageDependencies, "channels" | "sending">,
): Promise<unknown> {
  const isSent = handler === "message" || handler === "report";
  const effect = isSent ? parseMessageEffect(data) : undefined;
  const notification = effect && channels.get(effect.channel);
  if (effect === undefined || notification === undefined) return undefined;
  const { preview } = await loadSender(notification.type);
  return preview(notification, effect.message, sending);
}
