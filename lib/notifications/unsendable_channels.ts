import type { Sending } from "./channels/channel.ts";
import { CHANNELS } from "./channels/mod.ts";
import { CarrierError } from "../outbox/effect.ts";
import { formatTime } from "../time.ts";
import { missingSecretsOf } from "./channel_secrets.ts";
import type { ListeningChannel } from "./listener.ts";
import type { Message } from "./message.ts";
import type { Notice } from "./notices.ts";
import { channelName } from "./routes.ts";
import { shortHash } from "../text/short_hash.ts";

/** A channel that has all its secrets, but settings with which nothing can be sent. */
export interface UnsendableChannel {
  /** Its key in run state and outbox. */
  key: string;
  /** Type and destination, without secrets. */
  channel: string;
  /** The setting at fault, without secrets and without a full stop. */
  reason: string;
}

/**
 * Finds channels whose secrets have unusable values, such as an invalid address, by preparing a sample
 * message. Nothing is sent.
 */
export function unsendableChannels(
  channels: readonly Pick<ListeningChannel, "key" | "notification">[],
  sending: Sending,
): UnsendableChannel[] {
  const { secrets } = sending;
  return channels.flatMap(({ key, notification }) => {
    if (missingSecretsOf(notification, secrets).length > 0) return [];
    try {
      CHANNELS[notification.type].assertSendable(notification, sampleMessage(sending), sending);
      return [];
    } catch (error) {
      if (!(error instanceof CarrierError)) throw error;
      return [{ key, channel: channelName(notification), reason: secrets.redact(error.message) }];
    }
  });
}

/** Reports such a channel in a sentence without a full stop. */
export function unsendableNote({ channel, reason }: UnsendableChannel): string {
  return `Notification channel ${channel} can't work: ${reason}`;
}

/** Makes the notices that the other channels are sent about these. */
export function unsendableNotices(
  channels: readonly UnsendableChannel[],
  monitor: string,
): Notice[] {
  return channels.map(({ channel, reason }) => ({
    key: shortHash(`unsendable\n${channel}\n${reason}`),
    monitor,
    title: `Notification channel ${channel} can't work`,
    text: `${reason}; change the setting or its secret`,
  }));
}

function sampleMessage({ clock }: Sending): Message {
  const seen = { code: 503, error: "", attempts: 1, incident: "sample" };
  const since = formatTime(clock.now());
  return {
    id: "sample",
    events: [{ id: "sample", kind: "down", name: "Sample", slug: "sample", since, ...seen }],
  };
}
