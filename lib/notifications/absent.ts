import { hear, type Heard } from "./hear.ts";
import type { ListeningChannel } from "./listener.ts";
import type { ChannelMemories, ChannelMemory } from "./memory.ts";
import { SITE_NEWS } from "./message.ts";
import type { Tidings } from "./plan.ts";

/**
 * What is remembered of channels that a run does not know, though they may be configured. Whatever they
 * want to hear, the end of what they know of waits for them; news that begins an outage does not.
 */
export function absent({ channels, events, memory = {}, now }: Tidings): ChannelMemories {
  const known = new Set(channels.map(({ key }) => key));
  const ends = events.filter(({ kind }) => kind === "up");
  const others = Object.entries(memory).filter(([key]) => !known.has(key));
  return Object.fromEntries(others.map(([key, own]) => {
    const heard = ends.reduce<Heard>(
      (before, end) => hear(before, end, { wanted: SITE_NEWS, now }),
      own,
    );
    return [key, { ...own, ...heard }];
  }));
}

/** The memory of a channel without the ends that have waited for it, and that it does not want to hear of. */
export function afterAbsence(memory: ChannelMemory, { hears }: ListeningChannel): ChannelMemory {
  const held = memory.held.filter(({ kind, was, slug }) =>
    kind !== "up" || was !== undefined || hears(slug).includes(kind)
  );
  return { ...memory, held };
}
