import * as v from "valibot";
import { isMap } from "../config/document.ts";
import { time } from "../history/yaml_file.ts";
import type { DeliveryState } from "./channel_news.ts";
import { STORED_NEWS } from "./message.ts";

/** Everything about a channel that is kept from one run to the next. */
export interface ChannelState extends DeliveryState {
  /** Time at which its last message was planned; absent once no interval depends on it. */
  last?: Temporal.Instant;
  /** Set if events after that message are collected during the group interval. */
  window?: true;
}

/** States of the channels by key; a channel without waiting events and open outages has none. */
export type ChannelStates = Readonly<Record<string, ChannelState>>;

/** State of a channel that was never notified. */
export const EMPTY_CHANNEL_STATE: ChannelState = { held: [], notified: [] };

const OUTAGE = v.object({
  slug: v.string(),
  kind: v.picklist(["down", "degraded"]),
  flapping: v.optional(v.literal(true)),
  unsure: v.optional(v.literal(true)),
  incident: v.string(),
  at: time(),
  reminders: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1))),
});

const CHANNEL: v.GenericSchema<unknown, ChannelState> = v.pipe(
  v.object({
    last: v.optional(time()),
    window: v.optional(v.literal(true)),
    held: v.array(STORED_NEWS),
    told: v.array(OUTAGE),
  }),
  v.transform(({ told, ...rest }) => ({ ...rest, notified: told })),
);

/** Codec of {@linkcode ChannelStates}; a channel that can't be read loses its own state only. */
export const CHANNEL_STATES: v.GenericSchema<unknown, ChannelStates> = v.pipe(
  v.custom<Record<string, unknown>>(isMap),
  v.transform((channels) =>
    Object.fromEntries(
      Object.entries(channels).flatMap(([key, value]) => {
        const { success, output } = v.safeParse(CHANNEL, value);
        return success ? [[key, output]] : [];
      }),
    )
  ),
);

/** The stored form of {@linkcode ChannelStates}. */
export function formatChannels(channels: ChannelStates): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(channels).map(([key, { notified, ...rest }]) => [key, {
      ...rest,
      told: notified,
    }]),
  );
}
