import type { Notification } from "../../config/channels/keys.ts";
import type { Clock } from "../../io/clock.ts";
import type { Secrets } from "../../io/secrets/secrets.ts";
import { EffectError } from "../../outbox/effect.ts";
import type { Language } from "../../text/language.ts";
import type { Message, MessagePlaces } from "../message.ts";

export interface Sending {
  secrets: Secrets;
  clock: Clock;
  /** From 0 to 1, for the jitter of delays. */
  random(): number;
  userAgent: string;
  places: MessagePlaces;
  timezone: string;
  /** Of everything that people read. */
  language: Language;
  /** `owner/name` of the repository, or another name of this monitor: part of the keys of alerts. */
  monitor: string;
  /** Name of the monitor for people: that of the status page, else {@linkcode Sending.monitor}. */
  title?: string;
  /** @default {USUAL_SENDING_PACE} */
  pace?: SendingPace;
  /** True if hosts may be shown that are secrets: the person at the terminal has typed them. */
  showsHosts?: boolean;
  /** Called with the recipients that were refused, and why, if others got the message. */
  onRefused?(recipients: string): void;
}

export interface SendingPace {
  /** Milliseconds for one request, its answer included. */
  request: number;
  /** Milliseconds before the second attempt, the third, and so on. */
  delays: readonly number[];
  /** Milliseconds that may be waited because a vendor asks for it, all attempts of a message together. */
  patience: number;
  /**
   * Milliseconds after which no further request of a message starts, and no further message of a channel. The
   * rest waits for the next run. The last request may take 65 s, and claims of messages last 3 minutes.
   */
  budget: number;
}

export const USUAL_SENDING_PACE: SendingPace = {
  request: 10_000,
  delays: [1_000, 4_000],
  patience: 30_000,
  budget: 100_000,
};

export interface ChannelSender {
  /** Returns the data that would be sent: secrets by their names, other credentials masked. */
  preview(notification: Notification, message: Message, sending: Sending): unknown;
  /**
   * Checks the settings as {@linkcode ChannelSender.send} does, without sending anything.
   *
   * @throws {EffectError} If no message can be sent with them, or a secret is missing.
   */
  assertSendable(notification: Notification, message: Message, sending: Sending): void;
  /**
   * Sends a message and returns what the vendor answered, in words.
   *
   * @throws {EffectError} If the message was not accepted.
   */
  send(notification: Notification, message: Message, sending: Sending): Promise<string>;
}

/** The error of a channel with a setting that a person must change first. */
export class SettingError extends EffectError {
  /** `reason` is the setting at fault, without a full stop. */
  constructor(vendor: string, readonly reason: string) {
    super(`${vendor} can't be notified: ${reason}`, { kind: "misconfigured" });
  }
}
