import { shortHash } from "../text/words.ts";
import {
  admitEvents,
  type ChannelGate,
  createGate,
  findStep,
  isQuiet,
  splitHeld,
  withoutMutedPast,
} from "./gate.ts";
import { planAcknowledgements } from "./acknowledgements.ts";
import { applyEvent, applyUnsent } from "./apply_event.ts";
import type { Subscriber } from "./channel_list.ts";
import type {
  ChannelState,
  ChannelStates,
  NotifiedOutage,
  WaitingOutage,
} from "./channel_state.ts";
import {
  EVENT_KINDS,
  isOutage,
  isSame,
  type Message,
  type OpenOutage,
  type SiteEvent,
  toSubject,
} from "./message.ts";

/** Messages of a run to one channel; more sites share a single one, as they share an issue. */
const MOST_MESSAGES = 100;

export interface MessageCauses {
  channels: readonly Subscriber[];
  /** True if the configuration may have other channels; their state is kept. */
  isPartial?: boolean;
  /** At most one event for each site, and notices. */
  events: readonly SiteEvent[];
  /** Ongoing outages without a change in this run. */
  ongoing: readonly SiteEvent[];
  /** All open outages, including those of sites without a result in this run; by default `ongoing` */
  open?: readonly OpenOutage[];
  /** Absent if no state of any channel is known. */
  states?: ChannelStates;
  /** Slugs of the sites about which nothing is sent for now; their events wait. */
  muted?: ReadonlySet<string>;
  /** True if the state was lost, not only out of reach; also in the first run. */
  isLost?: boolean;
  /** Events that no run could send so far, by the key of their channel, in the order of their planning. */
  unsent?: ReadonlyMap<string, readonly SiteEvent[]>;
  /** Keys of channels that an unsent message about several sites was planned for: it stays one. */
  together?: ReadonlySet<string>;
  /** Slugs of all configured sites; absent if the configuration can't be read completely. */
  configured?: ReadonlySet<string>;
  /** Start of the run. */
  now: Temporal.Instant;
  /** Time of the decision, at which steps are due and quiet hours apply. @default now */
  present?: Temporal.Instant;
}

/**
 * Plans the messages of each channel, by its key, and its next state; {@linkcode applyEvent} decides which
 * events are sent. Each site gets its own message, but a channel with `grouped` or a minimum interval gets
 * one message for all, unless it takes one event at a time; so does each if there were more than 100. During that interval, or the group interval
 * that starts with a message with something new, everything waits, and the first run after it sends one
 * message. Unsent messages wait for no interval: they are planned again together with everything since,
 * which results in the same message if nothing has happened since.
 */
export function planMessages(
  causes: MessageCauses,
): { messages: { channel: string; message: Message }[]; states: ChannelStates } {
  const planned = causes.channels.map((channel) => ({
    channel: channel.key,
    ...planChannel(channel, causes),
  }));
  const used = planned.filter(({ state: { last, held, notified, waiting } }) =>
    last !== undefined || held.length > 0 || notified.length > 0 || waiting !== undefined
  );
  return {
    messages: planned.flatMap(({ channel, messages }) =>
      messages.map((events) => ({ channel, message: { id: messageId(channel, events), events } }))
    ),
    states: {
      ...causes.isPartial ? applyToUnknownChannels(causes) : {},
      ...Object.fromEntries(used.map(({ channel, state }) => [channel, state])),
    },
  };
}

function planChannel(
  channel: Subscriber,
  causes: MessageCauses,
): { messages: SiteEvent[][]; state: ChannelState } {
  const { ongoing, states, configured, now, present = now } = causes;
  const unsent = causes.unsent?.get(channel.key) ?? [];
  const isLate = unsent.length > 0;
  const loaded = states === undefined
    ? presumeState(channel, causes)
    : withRightClock(withoutUnwantedEnds(states[channel.key], channel), now);
  const restored = isLate ? applyUnsent(loaded, unsent, now) : loaded;
  const { before, resent } = withoutUnsure(restored, ongoing);
  const isInQuiet = channel.quiet !== undefined && isQuiet(channel.quiet, present);
  const acknowledged = [...causes.events, ...ongoing, ...causes.open ?? []]
    .filter((one) => one.acknowledged !== undefined);
  const gate = createGate(channel, {
    isQuiet: isInQuiet,
    isAcknowledged: (event) => acknowledged.some((one) => isSame(one, event)),
    muted: causes.muted,
    now: present,
  });
  const events = [...resent, ...causes.events].filter((event) =>
    event.news === undefined || before.notified.some((one) => isSame(one, event))
  );
  const applied = admitEvents(before, { ...{ channel, gate, ongoing, now }, events });
  const admitted = planAcknowledgements(applied, ongoing, channel.wants);
  const isConfigured = ({ slug }: { slug: string }) => configured?.has(slug) ?? true;
  const notified = admitted.notified.filter(isConfigured);
  const waiting = admitted.waiting?.filter(isConfigured) ?? [];
  const kept = {
    ...waiting.length === 0 ? {} : { waiting },
    ...isInQuiet ? { quiet: true as const } : {},
  };
  const held = withoutMutedPast(admitted.held, before.held, causes.muted);
  if (!isLate && isWaiting(channel, before, now)) {
    return { messages: [], state: { ...before, held, notified, ...kept } };
  }
  const { due: ready, collected } = splitHeld({ held, notified }, gate);
  const reminded = planReminders({ held, notified }, ongoing, { channel, gate, now });
  const due = [...ready, ...reminded.reminders];
  const waits = collected;
  if (due.length === 0) return { messages: [], state: { held: waits, notified, ...kept } };
  const isNew = ready.some((event) => !before.held.includes(event));
  const opensWindow = channel.grouped && channel.groupInterval > 0 &&
    (isNew || (isLate && before.window));
  const after = { last: now, ...opensWindow ? { window: true as const } : {} };
  const slugs = new Set(due.map(({ slug }) => slug));
  const isDigest = before.quiet === true && !isInQuiet;
  const isOne = isDigest || causes.together?.has(channel.key) === true;
  return {
    messages: toMessages(due, channel, isOne),
    state: {
      ...isWaiting(channel, after, now) ? after : {},
      held: waits,
      notified: reminded.notified.map((one) => slugs.has(one.slug) ? { ...one, at: now } : one),
      ...kept,
    },
  };
}

/** The events of one moment as messages: one for each event, for each site, or one in all. */
function toMessages(
  due: SiteEvent[],
  { takesOne, grouped, minInterval }: Subscriber,
  isOne: boolean,
): SiteEvent[][] {
  if (takesOne) return due.map((event) => [event]);
  const bySubject = [...Map.groupBy(due, toSubject).values()];
  const isMany = bySubject.length > MOST_MESSAGES;
  return isOne || grouped || minInterval > 0 || isMany ? [due] : bySubject;
}

/** True if the interval after a channel's last message is not over. */
function isWaiting(
  { minInterval, grouped, groupInterval }: Subscriber,
  { last, window }: Pick<ChannelState, "last" | "window">,
  now: Temporal.Instant,
): boolean {
  const interval = Math.max(minInterval, grouped && window ? groupInterval : 0);
  return last !== undefined && now.epochMilliseconds - last.epochMilliseconds < interval;
}

/** Presumes what a channel knows without a state: ongoing outages and those that have just ended. */
function presumeState(
  channel: Subscriber,
  { events, ongoing, open = ongoing as readonly OpenOutage[], isLost, now: at, present = at }:
    MessageCauses,
): ChannelState {
  const wanted = open.filter(({ slug, kind }) => channel.wants(slug).includes(kind));
  const steps = new Map(wanted.map((outage) => [outage, findStep(channel, outage, present)]));
  const notified = wanted.filter((outage) => steps.get(outage) !== "early")
    .map((outage): NotifiedOutage => {
      const { slug, incident, kind } = outage;
      // No run may have known the state when a step became due.
      const isUnsure = isLost || steps.get(outage) === "due";
      return { slug, incident, kind, at, ...isUnsure ? { unsure: true } : {} };
    });
  const waiting = wanted.filter((outage) => steps.get(outage) === "early")
    .map(({ slug, incident }): WaitingOutage => ({ slug, incident }));
  const slugs = new Set(notified.map(({ slug }) => slug));
  const wasSent = ({ slug, lasted = Infinity }: SiteEvent) =>
    channel.wants(slug).filter(isOutage).some((kind) => lasted >= channel.delay(slug, kind));
  const ended = events.filter((event) =>
    event.kind === "up" && !slugs.has(event.slug) && wasSent(event)
  )
    .map(({ slug, incident }): NotifiedOutage => ({ slug, kind: "down", incident, at }));
  return { held: [], notified: [...notified, ...ended], waiting };
}

/** Turns outages that a channel may not know, because the run state was lost, into events again with their ids. */
function withoutUnsure(
  state: ChannelState,
  ongoing: readonly SiteEvent[],
): { before: ChannelState; resent: readonly SiteEvent[] } {
  const isUnsure = (one: NotifiedOutage, event: SiteEvent) =>
    one.unsure === true && isSame(one, event);
  const resent = ongoing.filter((event) => state.notified.some((one) => isUnsure(one, event)));
  const notified = state.notified.filter((one) => !resent.some((event) => isUnsure(one, event)));
  return { before: { ...state, notified }, resent };
}

/** The id of a message: the same in every run, because it depends on the events alone. */
function messageId(channel: string, events: readonly SiteEvent[]): string {
  const names = events.map(({ id, was }) => was === undefined ? id : `${id}+whole`);
  return shortHash([channel, ...names].join("\n"));
}

/** Updates channels unknown to this run: ends of outages that they know wait for them, new outages don't. */
function applyToUnknownChannels({ channels, events, states = {}, now }: MessageCauses) {
  const known = new Set(channels.map(({ key }) => key));
  const ends = events.filter(({ kind }) => kind === "up");
  return Object.fromEntries(
    Object.entries(states).filter(([key]) => !known.has(key)).map(([key, state]) => [
      key,
      ends.reduce(
        (before, end) => applyEvent(before, end, { wanted: EVENT_KINDS, now }),
        withoutWaiting(state, ends),
      ),
    ]),
  );
}

function withoutWaiting(state: ChannelState, ends: readonly SiteEvent[]): ChannelState {
  if (state.waiting === undefined) return state;
  const waiting = state.waiting.filter(({ slug }) => !ends.some((end) => end.slug === slug));
  return { ...state, waiting: waiting.length === 0 ? undefined : waiting };
}

/** Removes ends that waited for an unknown channel and that it does not want. */
function withoutUnwantedEnds(
  state: ChannelState = { held: [], notified: [] },
  { wants, wantsEnds }: Subscriber,
): ChannelState {
  const held = state.held.filter(({ kind, was, slug }) => {
    const wanted = wants(slug);
    return kind !== "up" || was !== undefined || wanted.includes(kind) ||
      (wanted.length === 0 && wantsEnds);
  });
  return { ...state, held };
}

/**
 * Plans reminders of the sites that are still down or degraded, each `delays` (milliseconds; the last one
 * repeats) after the last message about it. After missed runs one reminder replaces all that were due; one
 * that can't be sent now becomes due anew.
 */
function planReminders(
  { held, notified }: ChannelState,
  ongoing: readonly SiteEvent[],
  { channel: { reminders: delays }, gate, now }: {
    channel: Subscriber;
    gate: ChannelGate;
    now: Temporal.Instant;
  },
): { reminders: SiteEvent[]; notified: NotifiedOutage[] } {
  const reminders: SiteEvent[] = [];
  const after = notified.map((one): NotifiedOutage => {
    const { slug, kind, flapping, at, reminders: count = 0 } = one;
    const delay = delays[Math.min(count, delays.length - 1)] ?? Infinity;
    const event = ongoing.find((event) => isSame(event, one));
    const isDue = now.epochMilliseconds - at.epochMilliseconds >= delay;
    if (!isDue || flapping || event?.kind !== kind || held.some((event) => event.slug === slug)) {
      return one;
    }
    const reminder = { ...event, id: `${event.id}/reminder-${count + 1}`, reminder: true as const };
    if (gate(reminder, notified) !== "send") return one;
    reminders.push(reminder);
    return { ...one, at: now, reminders: count + 1 };
  });
  return { reminders, notified: after };
}

/** Later times were written by a wrong clock. */
const OVERLAP = { minutes: 10 };

/** Replaces times that a wrong clock has written with the present, so that nothing waits longer for them. */
function withRightClock(state: ChannelState, now: Temporal.Instant): ChannelState {
  const { last, notified } = state;
  const limit = now.add(OVERLAP);
  const right = (time: Temporal.Instant) => Temporal.Instant.compare(time, limit) > 0 ? now : time;
  return {
    ...state,
    ...last === undefined ? {} : { last: right(last) },
    notified: notified.map((one) => ({ ...one, at: right(one.at) })),
  };
}
