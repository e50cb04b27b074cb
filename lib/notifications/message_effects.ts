import * as v from "valibot";
import type { Effect } from "../outbox/effect.ts";
import { type Entry, isClaimed } from "../outbox/outbox.ts";
import { isBefore } from "../time.ts";
import type { Subscriber } from "./channel_list.ts";
import { knownAs, type NotifiedOutage } from "./channel_news.ts";
import type { ChannelStates } from "./channel_state.ts";
import { isOfSite, type Message, type NewsEvent, STORED_EVENT, subjectOf } from "./message.ts";
import { type MessageNews, planMessages } from "./plan_messages.ts";

/** Messages to send now, and the outbox without those that they replace. */
export interface PlannedMessages {
  /** Messages, including unchanged ones of earlier runs. */
  effects: Effect[];
  channels: ChannelStates;
  /** The outbox of earlier runs, without messages that are condensed into others. */
  outbox: Entry[];
}

/**
 * Plans messages as effects. Unsent messages of earlier runs are condensed with the events since, so that a
 * channel is sent the present state and no backlog; messages that another run has claimed stay as they
 * are. `present` is the time at which claims are compared.
 */
export function planMessageEffects(
  news: MessageNews,
  before: readonly Entry[],
  present: Temporal.Instant = news.now,
): PlannedMessages {
  const { channels, now } = news;
  const byKey = new Map(channels.map((channel) => [channel.key, channel]));
  const { memory, outbox } = withoutGivenUp(news.memory, before, present);
  const unsent = unsentMessages(outbox, new Set(byKey.keys()), present);
  const planned = planMessages({ ...news, memory, unsent: unsent.events });
  const effects = planned.messages.map(({ channel, message }): Effect => {
    const notBefore = unsent.notBefore.get(channel);
    const effect = messageEffect(byKey.get(channel)!, message, now);
    return notBefore === undefined ? effect : { ...effect, notBefore };
  });
  const byId = new Map(effects.map((effect) => [effect.id, effect]));
  const replanned = new Set(unsent.entries);
  return {
    effects,
    channels: planned.memory,
    outbox: outbox.flatMap((entry) => {
      if (!replanned.has(entry)) return [entry];
      // The same message may contain more than before: earlier states of this outage.
      const effect = byId.get(entry.id);
      return effect === undefined ? [] : [{ ...entry, data: effect.data }];
    }),
  };
}

/** Messages that no run could send so far, to be planned again with the events since. */
interface UnsentMessages {
  /** Their entries in the outbox. */
  entries: readonly Entry[];
  /** Their events by the key of the channel, in the order of their planning. */
  events: ReadonlyMap<string, NewsEvent[]>;
  /** Earliest time of the next attempt, by the key of the channel, if a vendor asked to wait. */
  notBefore: ReadonlyMap<string, Temporal.Instant>;
}

/** Finds messages to known channels that are neither sent nor claimed by a run. */
function unsentMessages(
  outbox: readonly Entry[],
  channels: ReadonlySet<string>,
  now: Temporal.Instant,
): UnsentMessages {
  const entries: Entry[] = [];
  const events = new Map<string, NewsEvent[]>();
  const notBefore = new Map<string, Temporal.Instant>();
  for (const entry of outbox) {
    if (entry.done !== undefined || isClaimed(entry.claim, now) || hasExpired(entry, now)) continue;
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
function withoutGivenUp(
  memory: ChannelStates | undefined,
  outbox: readonly Entry[],
  now: Temporal.Instant,
): { memory?: ChannelStates; outbox: Entry[] } {
  const all = { ...memory };
  const left = outbox.map((entry) => {
    const isGivenUp = entry.done !== undefined && entry.done.receipt === undefined;
    if (!isGivenUp && (entry.done !== undefined || !hasExpired(entry, now))) return entry;
    const message = messageOf(entry);
    if (message === undefined) return entry;
    const { channel, events } = message;
    const own = all[channel];
    if (own !== undefined) all[channel] = { ...own, notified: undoUnsent(own.notified, events) };
    return isGivenUp ? { ...entry, data: {} } : entry;
  });
  return { memory: memory && all, outbox: left };
}

/** Undoes events that were never sent in what a channel knows. */
function undoUnsent(
  notified: readonly NotifiedOutage[],
  events: readonly NewsEvent[],
): NotifiedOutage[] {
  return notified.flatMap((one) => {
    const unsent = events.find(({ kind, slug, incident, flapping, reminder }) =>
      kind === one.kind && slug === one.slug && incident === one.incident &&
      (flapping !== undefined) === (one.flapping === true) && !reminder
    );
    if (unsent === undefined) return [one];
    const { flapping: _, ...rest } = one;
    return unsent.knew === undefined ? [] : [{ ...rest, ...knownAs(unsent.knew) }];
  });
}

function hasExpired({ expires }: Entry, now: Temporal.Instant): boolean {
  return expires !== undefined && isBefore(expires, now);
}

/** Returns the message of an entry; absent for other entries and for a message whose content is forgotten. */
function messageOf({ handler, data }: Entry): { channel: string; events: NewsEvent[] } | undefined {
  const effect = handler === "message" ? parseMessageEffect(data) : undefined;
  if (effect === undefined) return undefined;
  const { channel, message } = effect;
  return {
    channel,
    events: message.events.filter((event): event is NewsEvent => event.kind !== "test"),
  };
}

const MESSAGE_EFFECT = v.object({
  channel: v.string(),
  message: v.object({ id: v.string(), events: v.array(STORED_EVENT) }),
});

/** A message to a channel, given by its key. */
export type MessageEffect = v.InferOutput<typeof MESSAGE_EFFECT>;

/**
 * Hours after which an unsent message expires: longer than failed messages are retried, so that the failure
 * is reported.
 */
const EXPIRY = { hours: 48 };

/**
 * Makes an effect of a message. Messages of a channel are sent in order, and one about a site waits for
 * earlier ones about that site. Unsent messages expire, so that a secret added late sends no old news.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const seen = { code: 0, error: "connection refused", attempts: 3, incident: "2026-11-21-shop" };
 * const event = { id: "a", kind: "down", name: "Shop", slug: "shop", since: "2026-11-21T10:05:03.120Z", ...seen } as const;
 * const message = { id: "1", events: [event] };
 * const now = Temporal.Instant.from("2026-11-21T10:05:03.120Z");
 * const effect = messageEffect({ key: "9f", notification: { type: "email" } }, message, now);
 * assertEquals([effect.description, effect.queue], ["tell email about Shop", "message/9f"]);
 * assertEquals(parseMessageEffect(effect.data), { channel: "9f", message });
 * ```
 */
export function messageEffect(
  { key, notification: { type } }: Pick<Subscriber, "key" | "notification">,
  { id, events }: Message,
  now: Temporal.Instant,
): Effect {
  return {
    id: `message/${key}/${id}`,
    handler: "message",
    queue: `message/${key}`,
    subjects: [...new Set(events.map(subjectOf))],
    description: `tell ${type} about ${namesInShort(events.map(({ name }) => name))}`,
    expires: now.add(EXPIRY),
    data: { channel: key, message: { id, events: events.map((event) => ({ ...event })) } },
  };
}

/** Parses the data of an effect; `undefined` if another version of the program wrote it. */
export function parseMessageEffect(data: unknown): MessageEffect | undefined {
  const result = v.safeParse(MESSAGE_EFFECT, data);
  return result.success ? result.output : undefined;
}

function namesInShort(names: readonly string[]): string {
  const [first, second, ...others] = new Set(names);
  if (second === undefined) return first ?? "nothing";
  if (others.length === 0) return `${first} and ${second}`;
  return `${first} and ${others.length + 1} others`;
}
