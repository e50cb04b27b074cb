import * as v from "valibot";
import type { Effect } from "../outbox/effect.ts";
import { type Entry, isClaimed } from "../outbox/outbox.ts";
import { isBefore } from "../time.ts";
import type { Subscriber } from "./channel_list.ts";
import { knownAs } from "./apply_event.ts";
import type { ChannelStates, NotifiedOutage } from "./channel_state.ts";
import {
  isOfSite,
  isSame,
  type Message,
  SITE_EVENT,
  type SiteEvent,
  toSubject,
} from "./message.ts";
import { type MessageCauses, planMessages } from "./plan_messages.ts";

/**
 * Plans messages as effects. Unsent messages of earlier runs are condensed with the events since, so that a
 * channel is sent the present state and no backlog; messages that another run has claimed stay as they
 * are. `present` is the time of the decision. `effects` contains unchanged messages of earlier
 * runs; `outbox` lacks those that are replaced.
 */
export function planMessageEffects(
  causes: MessageCauses,
  before: readonly Entry[],
  present: Temporal.Instant = causes.now,
): { effects: Effect[]; channels: ChannelStates; outbox: Entry[] } {
  const byKey = new Map(causes.channels.map((channel) => [channel.key, channel]));
  const { states, outbox } = withoutGivenUp(causes.states, before, present);
  const unsent = outbox.flatMap((entry) => {
    if (entry.done !== undefined || isClaimed(entry.claim, present)) return [];
    const message = hasExpired(entry, present) ? undefined : parseMessage(entry);
    return message === undefined || !byKey.has(message.channel) ? [] : [{ entry, ...message }];
  });
  // A message that quiet hours have held back may be planned after a later one.
  const inOrder = unsent.toSorted(({ message: one }, { message: other }) =>
    startOf(one) - startOf(other)
  );
  const byChannel = Map.groupBy(inOrder, ({ channel }) => channel);
  const together = [...byChannel].filter(([, own]) =>
    own.some(({ message }) => new Set(message.events.map(toSubject)).size > 1)
  ).map(([key]) => key);
  const planned = planMessages({
    ...causes,
    states,
    present,
    together: new Set(together),
    unsent: new Map(
      [...byChannel].map(([key, own]) => [
        key,
        own.flatMap(({ entry, message }) =>
          entry.claim === undefined ? message.events : message.events.map(maybeSent)
        ),
      ]),
    ),
  });
  const effects = planned.messages.map(({ channel, message }): Effect => {
    const times = byChannel.get(channel)?.flatMap(({ entry }) => entry.notBefore ?? []) ?? [];
    const notBefore = times.toSorted(Temporal.Instant.compare).at(-1);
    const effect = messageEffect(byKey.get(channel)!, message, causes.now);
    return notBefore === undefined ? effect : { ...effect, notBefore };
  });
  const byId = new Map(effects.map((effect) => [effect.id, effect]));
  const replanned = new Set(unsent.map(({ entry }) => entry));
  return {
    effects,
    channels: planned.states,
    outbox: outbox.flatMap((entry) => {
      if (!replanned.has(entry)) return [entry];
      // The same message may contain more than before: earlier states of this outage.
      const effect = byId.get(entry.id);
      return effect === undefined ? [] : [{ ...entry, data: effect.data }];
    }),
  };
}

function startOf({ events }: Message): number {
  return Date.parse(events[0]?.since ?? "") || 0;
}

/**
 * An event whose message a killed run may have sent. What the channel knew before may no longer be the
 * case, so that even a return to that state is sent.
 */
function maybeSent(event: SiteEvent): SiteEvent {
  const isOutage = isOfSite(event) && event.kind !== "up" && !event.reminder;
  const { knew: _, ...rest } = event;
  return isOutage ? { ...rest, mayBeSent: true } : event;
}

/** Removes outages whose message was given up from what channels know, so that no recovery is sent. */
function withoutGivenUp(
  before: ChannelStates | undefined,
  outbox: readonly Entry[],
  now: Temporal.Instant,
): { states?: ChannelStates; outbox: Entry[] } {
  const states = { ...before };
  const left = outbox.map((entry) => {
    const isGivenUp = entry.done !== undefined && entry.done.receipt === undefined;
    if (!isGivenUp && (entry.done !== undefined || !hasExpired(entry, now))) return entry;
    const parsed = parseMessage(entry);
    if (parsed === undefined) return entry;
    const { channel, message: { events } } = parsed;
    const own = states[channel];
    if (own !== undefined) {
      states[channel] = { ...own, notified: undoUnsent(own.notified, events) };
    }
    return isGivenUp ? { ...entry, data: {} } : entry;
  });
  return { states: before && states, outbox: left };
}

function undoUnsent(
  notified: readonly NotifiedOutage[],
  events: readonly SiteEvent[],
): NotifiedOutage[] {
  return notified.flatMap((one) => {
    const unsent = events.find((event) =>
      event.kind === one.kind && isSame(event, one) &&
      (event.flapping !== undefined) === (one.flapping === true) && !event.reminder
    );
    if (unsent === undefined) return [one];
    const { flapping: _, ...rest } = one;
    return unsent.knew === undefined ? [] : [{ ...rest, ...knownAs(unsent.knew) }];
  });
}

function hasExpired({ expires }: Entry, now: Temporal.Instant): boolean {
  return expires !== undefined && isBefore(expires, now);
}

/** The message of an entry; `undefined` for other entries and for a message whose content is forgotten. */
function parseMessage({ handler, data }: Entry): MessageEffect | undefined {
  return handler === "message" ? parseMessageEffect(data) : undefined;
}

const MESSAGE_EFFECT = v.object({
  channel: v.string(),
  message: v.object({ id: v.string(), events: v.array(SITE_EVENT) }),
});

/** A message to a channel, given by its key. */
export type MessageEffect = v.InferOutput<typeof MESSAGE_EFFECT>;

/** Hours after which an unsent message expires: later than retries end, so that the failure is reported. */
const EXPIRY = { hours: 48 };

/**
 * Makes an effect of a message. Messages of a channel are sent in order, and one about a site waits for
 * earlier ones about that site. Unsent messages expire, so that a secret added late sends no old messages.
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
    subjects: [...new Set(events.map(toSubject))],
    description: `notify ${type} about ${namesInShort(events.map(({ name }) => name))}`,
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
