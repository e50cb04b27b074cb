import { type Entry, isHeld } from "../outbox/outbox.ts";
import { isBefore } from "../time.ts";
import { knownAs, type Told } from "./hear.ts";
import type { ChannelMemories } from "./memory.ts";
import { isOfSite, type NewsEvent } from "./message.ts";
import { parseMessageEffect } from "./message_effect.ts";

/** Messages that no run could send so far, and that may be planned again with what happened since. */
export interface UnsentMessages {
  /** Their entries in the outbox. */
  entries: readonly Entry[];
  /** Their events by the key of the channel, in the order they were planned in. */
  events: ReadonlyMap<string, NewsEvent[]>;
  /** When a channel that asked for patience may be tried again, by its key. */
  notBefore: ReadonlyMap<string, Temporal.Instant>;
}

/** Finds messages to known channels that are neither sent nor claimed by a run. */
export function unsentMessages(
  outbox: readonly Entry[],
  channels: ReadonlySet<string>,
  now: Temporal.Instant,
): UnsentMessages {
  const entries: Entry[] = [];
  const events = new Map<string, NewsEvent[]>();
  const notBefore = new Map<string, Temporal.Instant>();
  for (const entry of outbox) {
    if (entry.done !== undefined || isHeld(entry.claim, now) || isLapsed(entry, now)) continue;
    const message = messageOf(entry);
    if (message === undefined || !channels.has(message.channel)) continue;
    const { channel } = message;
    entries.push(entry);
    // A claim that has run out is of a run that was killed before or after it sent the message.
    const own = entry.claim === undefined ? message.events : message.events.map(maybeSent);
    events.set(channel, [...events.get(channel) ?? [], ...own]);
    const last = notBefore.get(channel);
    if (entry.notBefore !== undefined && (last === undefined || isBefore(last, entry.notBefore))) {
      notBefore.set(channel, entry.notBefore);
    }
  }
  return { entries, events, notBefore };
}

function maybeSent(event: NewsEvent): NewsEvent {
  const isOutage = isOfSite(event) && event.kind !== "up" && event.reminder === undefined;
  return isOutage ? { ...event, maybeSent: true } : event;
}

/**
 * What channels know, without outages of which the message was given up: as it was never sent, its recovery
 * is not sent either. The outbox then forgets what these messages said.
 */
export function withoutGivenUp(
  memory: ChannelMemories | undefined,
  outbox: readonly Entry[],
  now: Temporal.Instant,
): { memory?: ChannelMemories; outbox: Entry[] } {
  const all = { ...memory };
  const left = outbox.map((entry) => {
    const isGivenUp = entry.done !== undefined && entry.done.receipt === undefined;
    if (!isGivenUp && (entry.done !== undefined || !isLapsed(entry, now))) return entry;
    const message = messageOf(entry);
    if (message === undefined) return entry;
    const { channel, events } = message;
    const own = all[channel];
    if (own !== undefined) all[channel] = { ...own, told: toldBefore(own.told, events) };
    return isGivenUp ? { ...entry, data: {} } : entry;
  });
  return { memory: memory && all, outbox: left };
}

/** What was told before events that were never sent. */
function toldBefore(told: readonly Told[], events: readonly NewsEvent[]): Told[] {
  return told.flatMap((one) => {
    const unsent = events.find(({ kind, slug, incident, flapping, reminder }) =>
      kind === one.kind && slug === one.slug && incident === one.incident &&
      (flapping !== undefined) === (one.flapping === true) && !reminder
    );
    if (unsent === undefined) return [one];
    const { flapping: _, ...rest } = one;
    return unsent.knew === undefined ? [] : [{ ...rest, ...knownAs(unsent.knew) }];
  });
}

function isLapsed({ lapses }: Entry, now: Temporal.Instant): boolean {
  return lapses !== undefined && isBefore(lapses, now);
}

/** The message of an entry; absent if the entry is none, or no longer says it. */
function messageOf({ carrier, data }: Entry): { channel: string; events: NewsEvent[] } | undefined {
  const effect = carrier === "message" ? parseMessageEffect(data) : undefined;
  if (effect === undefined) return undefined;
  const { channel, message } = effect;
  return {
    channel,
    events: message.events.filter((event): event is NewsEvent => event.kind !== "test"),
  };
}
