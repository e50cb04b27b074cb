import * as v from "valibot";
import { isMap } from "../config/document.ts";
import { time } from "../history/yaml_file.ts";
import { SITE_EVENT } from "./message.ts";

const NOTIFIED_OUTAGE = v.object({
  slug: v.string(),
  kind: v.picklist(["down", "degraded"]),
  /** Set if the channel was notified that the site is flapping; nothing follows until it stays up, or down. */
  flapping: v.optional(v.literal(true)),
  /** Set if it is unknown whether the channel was notified, because the run state was lost. */
  unsure: v.optional(v.literal(true)),
  incident: v.string(),
  /** Time of the last message about it. */
  at: time(),
  /** Time and person of the acknowledgement that it was notified of; absent if of none. */
  acknowledged: v.optional(v.string()),
  /** Number of reminders sent; absent if none. */
  reminders: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1))),
});

const WAITING_OUTAGE = v.object({ slug: v.string(), incident: v.string() });

/** An outage that a channel is notified of later, if it is still open then. */
export type WaitingOutage = v.InferOutput<typeof WAITING_OUTAGE>;

/** An outage that a channel was notified of, or whose message is waiting. */
export type NotifiedOutage = v.InferOutput<typeof NOTIFIED_OUTAGE>;

const CHANNEL = v.pipe(
  v.object({
    /** Time at which its last message was planned; absent once no interval depends on it. */
    last: v.optional(time()),
    /** Set if events after that message are collected during the group interval. */
    window: v.optional(v.literal(true)),
    /** Events that wait to be sent, in order of time. */
    held: v.array(SITE_EVENT),
    told: v.array(NOTIFIED_OUTAGE),
    /** Open outages for which it is too early, or that somebody has acknowledged; absent if none. */
    waiting: v.optional(v.array(WAITING_OUTAGE)),
    /** Set in quiet hours: what is due at their end becomes one message. */
    quiet: v.optional(v.literal(true)),
  }),
  v.transform(({ told: notified, ...rest }) => ({ ...rest, notified })),
);

export type ChannelState = v.InferOutput<typeof CHANNEL>;

/** States of the channels by key; a channel without waiting events and open outages has none. */
export type ChannelStates = Readonly<Record<string, ChannelState>>;

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
    Object.entries(channels)
      .map(([key, { notified: told, ...rest }]) => [key, { ...rest, told }]),
  );
}
