import { CHANNEL_TYPES, type ChannelType } from "../../lib/config/channels/keys.ts";
import type { ChannelSender } from "../../lib/notifications/channels/channel.ts";
import { loadSender } from "../../lib/notifications/channels/mod.ts";

/** The senders of all channel types. */
export const CHANNELS = Object.fromEntries(
  await Promise.all(CHANNEL_TYPES.map(async (type) => [type, await loadSender(type)] as const)),
) as Readonly<Record<ChannelType, ChannelSender>>;
