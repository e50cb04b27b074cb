import type { Notification } from "../../config/channels/keys.ts";
import type { Secrets } from "../../io/secrets/secrets.ts";
import type { Clock } from "../../io/clock.ts";
import type { SendingPace } from "./http/pace.ts";
import type { Message, MessagePlaces } from "../message.ts";

/** What messages are sent with. */
export interface Sending {
  secrets: Secrets;
  clock: Clock;
  /** From 0 to 1, for the jitter of delays. */
  random(): number;
  userAgent: string;
  places: MessagePlaces;
  /** `owner/name` of the repository, or another name of this monitor: part of what alerts go by. */
  monitor: string;
  /** Name of the monitor for people: that of the status page, else {@linkcode Sending.monitor}. */
  title?: string;
  /** How long it may take; as vendors and jobs can bear where it is not given. */
  pace?: SendingPace;
}

/** A kind of channel. */
export interface Channel {
  /** What would be sent, as data for people: secrets by their names, other credentials masked. */
  preview(notification: Notification, message: Message, sending: Sending): unknown;
  /**
   * Checks the settings as {@linkcode Channel.send} does, without sending anything.
   *
   * @throws {CarrierError} If no message can be sent with them, or a secret is missing.
   */
  assertSendable(notification: Notification, message: Message, sending: Sending): void;
  /**
   * Sends a message and returns what the vendor answered, in words.
   *
   * @throws {CarrierError} Where it was not taken, now or ever.
   */
  send(notification: Notification, message: Message, sending: Sending): Promise<string>;
}
