import type { Notification } from "../config/channels/keys.ts";
import { listChannelSecrets } from "../config/references.ts";
import type { Secrets } from "../io/secrets/secrets.ts";
import { EffectError } from "../outbox/effect.ts";
import { formatCommand } from "../text/invocation.ts";
import { formatTime } from "../time.ts";
import type { Subscriber } from "./channel_list.ts";
import type { Sending } from "./channels/channel.ts";
import { loadSender } from "./channels/mod.ts";
import type { Message } from "./message.ts";
import { channelName } from "./routes.ts";

/**
 * Returns the names of secrets that a channel needs and that have no value in this run. An empty value counts
 * as missing, because GitHub passes one for a secret that was never saved. Secrets in a template don't
 * count: a misspelled name there must not hold back an alert.
 */
export function findMissingSecrets(
  notification: Notification | undefined,
  secrets: Secrets,
): string[] {
  const names = listChannelSecrets({ ...notification, "message-template": undefined });
  return names.filter((name) => (secrets.value(name) ?? "").trim() === "");
}

interface ChannelWithoutSecrets {
  /** Type and destination, without secrets. */
  channel: string;
  missing: string[];
}

/** The channels that a run can't send to because it lacks secrets. */
export function findChannelsWithoutSecrets(
  channels: readonly Pick<Subscriber, "key" | "notification">[],
  secrets: Secrets,
): (ChannelWithoutSecrets & { key: string })[] {
  return channels.map(({ key, notification }) => ({
    key,
    channel: channelName(notification),
    missing: findMissingSecrets(notification, secrets),
  })).filter(({ missing }) => missing.length > 0);
}

/** Reports a channel that lacks secrets in a run that has others, without a full stop. */
export function missingSecretsNote({ channel, missing }: ChannelWithoutSecrets): string {
  const names = missing.map((name) => `$${name}`).join(", ");
  const are = missing.length === 1 ? "is" : "are";
  return `Cannot send to ${channel}: ${names} ${are} not among the secrets of this run; save ${
    missing.length === 1 ? "it" : "them"
  } with "${
    formatCommand(`set-secret ${missing.length === 1 ? missing[0] : "NAME"}`)
  }", check the spelling, and run Setup CI, which adds a new name to uptime.yml`;
}

/** Reports all channels that a run without any secrets can't use, without a full stop. */
export function withoutSecretsNote(lacking: readonly ChannelWithoutSecrets[]): string {
  const list = lacking.map(({ channel, missing }) => {
    const names = missing.map((name) => `$${name}`);
    const others = names.filter((name) => !channel.includes(name));
    return others.length === 0 ? channel : `${channel} without ${others.join(", ")}`;
  });
  return `This run has no secrets, so its messages wait for a run that has them: ${
    list.join("; ")
  }`;
}

/** A channel that has all its secrets, but settings with which nothing can be sent. */
export interface UnsendableChannel {
  key: string;
  /** Type and destination, without secrets. */
  channel: string;
  /** The setting at fault, without secrets and without a full stop. */
  reason: string;
}

/** Finds channels whose secrets have unusable values by preparing a sample message. Nothing is sent. */
export async function findUnsendableChannels(
  channels: readonly Pick<Subscriber, "key" | "notification">[],
  sending: Sending,
): Promise<UnsendableChannel[]> {
  const { secrets } = sending;
  const found = channels.map(async ({ key, notification }) => {
    if (findMissingSecrets(notification, secrets).length > 0) return [];
    try {
      const { assertSendable } = await loadSender(notification.type);
      assertSendable(notification, sampleMessage(sending), sending);
      return [];
    } catch (error) {
      if (!(error instanceof EffectError)) throw error;
      const reason = secrets.redact(error.message).replace(/^.*? can't be notified: /s, "");
      return [{ key, channel: channelName(notification), reason }];
    }
  });
  return (await Promise.all(found)).flat();
}

/** Finds channels that lack secrets in a run that has others. */
export function findLackingChannels(
  channels: readonly Subscriber[],
  secrets: Secrets,
): UnsendableChannel[] {
  const wanting = channels.filter(({ wantsAnything }) => wantsAnything);
  return findChannelsWithoutSecrets(wanting, secrets).map(({ key, channel, missing }) => {
    const names = missing.map((name) => `$${name}`).join(", ");
    return { key, channel, reason: `${names} ${missing.length === 1 ? "has" : "have"} no value` };
  });
}

/** Reports such a channel in a sentence without a full stop. */
export function unsendableNote({ channel, reason }: UnsendableChannel): string {
  return `Notification channel ${channel} can't work: ${reason}`;
}

function sampleMessage({ clock }: Sending): Message {
  const found = { since: formatTime(clock.now()), code: 503, error: "", attempts: 1 };
  const site = { name: "Sample", slug: "sample", incident: "sample" };
  return { id: "sample", events: [{ id: "sample", kind: "down", ...site, ...found }] };
}
