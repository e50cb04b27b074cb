import * as v from "valibot";
import { isMap } from "../config/document.ts";
import { time } from "../history/time_value.ts";
import type { Heard } from "./hear.ts";
import { STORED_NEWS } from "./stored_event.ts";

/** What is remembered of a channel from one run to the next: beside what it is to hear, what it was sent. */
export interface ChannelMemory extends Heard {
  /** When its last message was planned; absent where that matters no more. */
  last?: Temporal.Instant;
  /** Whether what follows that message, within the group interval, is put into one more. */
  window?: true;
}

const CHANNEL: v.GenericSchema<unknown, ChannelMemory> = v.object({
  last: v.optional(time()),
  window: v.optional(v.literal(true)),
  held: v.array(STORED_NEWS),
  told: v.array(v.object({
    slug: v.string(),
    kind: v.picklist(["down", "degraded"]),
    flapping: v.optional(v.literal(true)),
    unsure: v.optional(v.literal(true)),
    incident: v.string(),
    at: time(),
    reminders: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1))),
  })),
});

/** What is remembered of all channels that there is something to remember of, by key. */
export type ChannelMemories = Readonly<Record<string, ChannelMemory>>;

/** Of a channel that nothing is remembered of. */
export const NOTHING_TOLD: ChannelMemory = { held: [], told: [] };

/** {@linkcode ChannelMemories} as JSON has them; a channel that can't be read is forgotten alone. */
export const CHANNELS: v.GenericSchema<unknown, ChannelMemories> = v.pipe(
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
