import { type Entry, isHeld } from "../outbox/outbox.ts";
import { isBefore } from "../time.ts";
import { knownAs, type Told } from "./hear.ts";
import type { ChannelMemories } from "./memory.ts";
import { isOfSite, type NewsEvent } from "./message.ts";
import { parseMessageEffect } from "./message_effect.ts";

/** Messages that no run could send so far, to be planned again with the events since. */
export interface UnsentMessages {
  /** Their entries in the outbox. */
  entries: readonly Entry[];
  /** Their events by the key of the channel, in the order of their planning. */
  events: ReadonlyMap<string, NewsEvent[]>;
  /** Earliest time of the next attempt, by the key of the channel, if a vendor asked to wait. */
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
    // An expired claim was left by a run that was killed before or after it sent the message.
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
 * Removes outages whose message was given up from what channels know: as it was never sent, the recovery is
 * not sent either. The outbox then forgets the content of these messages.
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

/** Undoes events that were never sent in what a channel knows. */
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

/** Returns the message of an entry; absent for other entries and for a message whose content is forgotten. */
function messageOf({ carrier, data }: Entry): { channel: string; events: NewsEvent[] } | undefined {
  const effect = carrier === "message" ? parseMessageEffect(data) : undefined;
  if (effect === undefined) return undefined;
  const { channel, message } = effect;
  return {
    channel,
    events: message.events.filter((event): event is NewsEvent => event.kind !== "test"),
  };
}
