import { CHANNELS } from "./channels/mod.ts";
import type { Effect } from "../outbox/effect.ts";
import type { MessageMeans } from "../outbox/means.ts";
import { parseMessageEffect } from "./message_effect.ts";

/** What an effect would send, secrets by their names; `undefined` where it is no message to a channel that is configured. */
export function previewOf(
  { carrier, data }: Effect,
  { channels, sending }: Pick<MessageMeans, "channels" | "sending">,
): unknown {
  const effect = carrier === "message" ? parseMessageEffect(data) : undefined;
  const notification = effect && channels.get(effect.channel);
  if (effect === undefined || notification === undefined) return undefined;
  return CHANNELS[notification.type].preview(notification, effect.message, sending);
}
