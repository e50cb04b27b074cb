import type { ChannelMemory } from "./memory.ts";

/** How far ahead a run that started later may be; what lies further ahead was written by a clock that was wrong. */
const OVERLAP = { minutes: 10 };

/**
 * What is remembered of a channel, with now in place of each time that a wrong clock has written: nothing
 * waits longer because of that than it would from now on.
 */
export function withRightClock(memory: ChannelMemory, now: Temporal.Instant): ChannelMemory {
  const { last, told } = memory;
  const right = (time: Temporal.Instant) =>
    Temporal.Instant.compare(time, now.add(OVERLAP)) > 0 ? now : time;
  return {
    ...memory,
    ...last === undefined ? {} : { last: right(last) },
    told: told.map((one) => ({ ...one, at: right(one.at) })),
  };
}
