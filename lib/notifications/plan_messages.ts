import { shortHash } from "../text/words.ts";
import type { Subscriber } from "./channel_list.ts";
import {
  applyEvent,
  applyUnsent,
  type DeliveryState,
  type NotifiedOutage,
} from "./channel_news.ts";
import { type ChannelState, type ChannelStates, EMPTY_CHANNEL_STATE } from "./channel_state.ts";
import { type Message, type NewsEvent, type OpenOutage, SITE_NEWS, subjectOf } from "./message.ts";

/** The events of a run, and the channels that may be notified. */
export interface MessageNews {
  channels: readonly Subscriber[];
  /** True if the configuration may have other channels; their state is kept. */
  isPartial?: boolean;
  /** At most one event for each site, and notices. */
  events: readonly NewsEvent[];
  /** Ongoing outages without a change in this run. */
  ongoing: readonly NewsEvent[];
  /** All open outages, including those of sites without a result in this run; by default `ongoing` */
  open?: readonly OpenOutage[];
  /** Absent if no state of any channel is known. */
  memory?: ChannelStates;
  /** True if the state was lost, not only out of reach; also in the first run. */
  isLost?: boolean;
  /** Events that no run could send so far, by the key of their channel, in the order of their planning. */
  unsent?: ReadonlyMap<string, readonly NewsEvent[]>;
  /** Slugs of all configured sites; absent if the configuration can't be read completely. */
  configured?: ReadonlySet<string>;
  /** Start of the run. */
  now: Temporal.Instant;
}

/** A message, and the key of the channel that it goes to. */
interface PlannedMessage {
  channel: string;
  message: Message;
}

/**
 * Plans the messages of each channel and its next state; {@linkcode applyEvent} decides which events are
 * sent. Each site gets its own message, but a channel with `grouped` or a minimum interval gets one
 * message for all, unless it takes one event at a time. During that interval, or the group interval that
 * starts with a message with something new, everything waits, and the first run after it sends one
 * message. Unsent messages wait for no interval: they are planned again together with everything since,
 * which results in the same message if nothing has happened since.
 */
export function planMessages(
  news: MessageNews,
): { messages: PlannedMessage[]; memory: ChannelStates } {
  const planned = news.channels.map((channel) => ({ channel, ...planFor(channel, news) }));
  return {
    messages: planned.flatMap(({ channel: { key }, messages }) =>
      messages.map((events) => ({ channel: key, message: messageOf(key, events) }))
    ),
    memory: {
      ...news.isPartial ? applyToUnknownChannels(news) : {},
      ...Object.fromEntries(
        planned.filter(({ memory: { last, held, notified } }) =>
          last !== undefined || held.length > 0 || notified.length > 0
        ).map(({ channel: { key }, memory }) => [key, memory]),
      ),
    },
  };
}

interface Planned {
  messages: NewsEvent[][];
  memory: ChannelState;
}

function planFor(channel: Subscriber, news: MessageNews): Planned {
  const { events, ongoing, memory, configured, now, unsent } = news;
  const kept = memory === undefined
    ? presumed(channel, news)
    : withRightClock(withoutUnwantedEnds(memory[channel.key] ?? EMPTY_CHANNEL_STATE, channel), now);
  const again = unsent?.get(channel.key) ?? [];
  const isLate = again.length > 0;
  const restored = { ...kept, ...applyUnsent(kept, again, { wanted: channel.wants, now }) };
  const { before, events: unsure } = withoutUnsure(restored, ongoing);
  const { held, notified: known } = [...unsure, ...events].reduce<DeliveryState>(
    (state, event) =>
      event.kind === "notice" && !wantsNotice(channel, event)
        ? state
        : applyEvent(state, event, { wanted: channel.wants(event.slug), now }),
    before,
  );
  const notified = known.filter(({ slug }) => configured?.has(slug) ?? true);
  if (!isLate && isWaiting(channel, before, now)) {
    return { messages: [], memory: { ...before, held, notified } };
  }
  const delays = channel.reminders;
  const { reminders, notified: afterReminders } = planReminders({ held, notified }, ongoing, {
    delays,
    now,
  });
  const due = [...held, ...reminders];
  if (due.length === 0) return { messages: [], memory: { held: [], notified: afterReminders } };
  const isNews = held.some((event) => !before.held.includes(event));
  const after = {
    last: now,
    ...channel.grouped && channel.groupInterval > 0 && (isNews || (isLate && before.window))
      ? { window: true as const }
      : {},
  };
  const slugs = new Set(due.map(({ slug }) => slug));
  const notifiedNow = afterReminders.map((one): NotifiedOutage =>
    slugs.has(one.slug) ? { ...one, at: now } : one
  );
  return {
    messages: messagesOf(due, channel),
    memory: {
      ...isWaiting(channel, after, now) ? after : {},
      held: [],
      notified: notifiedNow,
    },
  };
}

/**
 * A notice about a site goes to the channels that are notified when it is down, its end also to those that are
 * notified of recoveries. One about the monitor goes to all channels that can be sent something now.
 */
function wantsNotice(channel: Subscriber, { site, over }: NewsEvent): boolean {
  if (site === undefined) return channel.wantsAnything && !channel.isUnsendable;
  const news = channel.wants(site);
  return news.includes("down") || (over === true && news.includes("up"));
}

/** The events of one moment as messages: one for each event, for each site, or one in all. */
function messagesOf(
  due: NewsEvent[],
  { takesOne, grouped, minInterval }: Subscriber,
): NewsEvent[][] {
  if (takesOne) return due.map((event) => [event]);
  return grouped || minInterval > 0 ? [due] : [...Map.groupBy(due, subjectOf).values()];
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

/**
 * Presumes what a channel knows if nothing is remembered: the outages that are ongoing or have just ended. It
 * may be sent the end of an outage that it was not notified of, but misses none.
 */
function presumed(
  { wants }: Subscriber,
  { events, ongoing, open = ongoing.flatMap(toOpenOutage), isLost, now: at }: MessageNews,
): ChannelState {
  const unsure = isLost ? { unsure: true as const } : {};
  const notified = open.filter(({ slug, kind }) => wants(slug).includes(kind))
    .map((outage): NotifiedOutage => ({ ...outage, at, ...unsure }));
  const slugs = new Set(notified.map(({ slug }) => slug));
  const over = events.filter(({ kind, slug }) => kind === "up" && !slugs.has(slug))
    .map(({ slug, incident }): NotifiedOutage => ({ slug, kind: "down", incident, at }));
  return { held: [], notified: [...notified, ...over] };
}

function toOpenOutage({ slug, incident, kind }: NewsEvent): OpenOutage[] {
  return kind === "down" || kind === "degraded" ? [{ slug, incident, kind }] : [];
}

/**
 * Separates outages that a channel may not have been notified of, because the run state was lost: they become
 * events again, with the same ids, as soon as the site is seen to be down outside of maintenance.
 */
function withoutUnsure<T extends DeliveryState>(
  before: T,
  ongoing: readonly NewsEvent[],
): { before: T; events: NewsEvent[] } {
  const unsure = before.notified.filter(({ unsure }) => unsure);
  const events = ongoing.filter(({ slug, incident }) =>
    unsure.some((one) => one.slug === slug && one.incident === incident)
  );
  const slugs = new Set(events.map(({ slug }) => slug));
  const notified = before.notified.filter(({ slug }) => !slugs.has(slug));
  return { before: events.length === 0 ? before : { ...before, notified }, events };
}

/** Makes one message of events. Its id depends on their content alone, so every run gives it the same. */
function messageOf(key: string, events: readonly NewsEvent[]): Message {
  const names = events.map(({ id, was, missed }) =>
    [id, was === undefined ? "" : "whole", missed?.times ?? ""].filter((part) => part !== "").join(
      "+",
    )
  );
  return { id: shortHash([key, ...names].join("\n")), events };
}

/**
 * Updates the states of channels that this run does not know although they may be configured: ends of
 * outages that they know of wait for them, new outages don't.
 */
function applyToUnknownChannels(
  { channels, events, memory = {}, now }: MessageNews,
): ChannelStates {
  const known = new Set(channels.map(({ key }) => key));
  const ends = events.filter(({ kind }) => kind === "up");
  const others = Object.entries(memory).filter(([key]) => !known.has(key));
  return Object.fromEntries(others.map(([key, own]) => {
    const state = ends.reduce<DeliveryState>(
      (before, end) => applyEvent(before, end, { wanted: SITE_NEWS, now }),
      own,
    );
    return [key, { ...own, ...state }];
  }));
}

/** Removes ends that waited for an unknown channel and that it does not want. */
function withoutUnwantedEnds(memory: ChannelState, { wants }: Subscriber): ChannelState {
  const held = memory.held.filter(({ kind, was, slug }) =>
    kind !== "up" || was !== undefined || wants(slug).includes(kind)
  );
  return { ...memory, held };
}

/** Reminders to send, and what the channel knows then. */
interface PlannedReminders {
  reminders: NewsEvent[];
  notified: readonly NotifiedOutage[];
}

/**
 * Reminds a channel of the sites that are still down or degraded, each so long after it was notified, or last notified again, as
 * `delays` say one after the other (milliseconds; the last one repeats). Where runs were missed, one
 * reminder makes up for all that were due; one that can't be sent now is none, and becomes due anew.
 */
function planReminders(
  { held, notified }: DeliveryState,
  ongoing: readonly NewsEvent[],
  { delays, now }: { delays: readonly number[]; now: Temporal.Instant },
): PlannedReminders {
  const reminders: NewsEvent[] = [];
  const after = notified.map((one): NotifiedOutage => {
    const { slug, kind, flapping, incident, at, reminders: count = 0 } = one;
    const delay = delays[Math.min(count, delays.length - 1)];
    const event = ongoing.find((event) => event.slug === slug && event.incident === incident);
    if (delay === undefined || flapping || event?.kind !== kind) return one;
    if (
      now.epochMilliseconds - at.epochMilliseconds < delay ||
      held.some((event) => event.slug === slug)
    ) return one;
    reminders.push({ ...event, id: `${event.id}/reminder-${count + 1}`, reminder: true });
    return { ...one, at: now, reminders: count + 1 };
  });
  return { reminders, notified: after };
}

/** Times further ahead than this were written by a wrong clock. */
const OVERLAP = { minutes: 10 };

/**
 * Replaces times that a wrong clock has written with the present, so that nothing waits longer because of
 * it.
 */
function withRightClock(memory: ChannelState, now: Temporal.Instant): ChannelState {
  const { last, notified } = memory;
  const right = (time: Temporal.Instant) =>
    Temporal.Instant.compare(time, now.add(OVERLAP)) > 0 ? now : time;
  return {
    ...memory,
    ...last === undefined ? {} : { last: right(last) },
    notified: notified.map((one) => ({ ...one, at: right(one.at) })),
  };
}
