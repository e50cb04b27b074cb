import { absent, afterAbsence } from "./absent.ts";
import { hear, hearAgain, type Heard, type Told } from "./hear.ts";
import type { ListeningChannel } from "./listener.ts";
import { type ChannelMemories, type ChannelMemory, NOTHING_TOLD } from "./memory.ts";
import { type Message, type NewsEvent, type OpenOutage, subjectOf } from "./message.ts";
import { remind } from "./reminders.ts";
import { withRightClock } from "./right_clock.ts";
import { shortHash } from "../text/short_hash.ts";

/** What there is to tell, and who may be told. */
export interface Tidings {
  channels: readonly ListeningChannel[];
  /** Whether there may be others: what is remembered of them is kept. */
  isPartial?: boolean;
  /** At most one event for each site, and notices. */
  events: readonly NewsEvent[];
  /** Outages that go on as they were. */
  standing: readonly NewsEvent[];
  /** All open outages, including those of sites without a result in this run; by default `standing`. */
  open?: readonly OpenOutage[];
  /** Absent if nothing is remembered of any channel. */
  memory?: ChannelMemories;
  /** True if that was lost, and not only out of reach; in the first run as well. */
  isLost?: boolean;
  /** Events that no run could send so far, by the key of their channel, in the order of their planning. */
  unsent?: ReadonlyMap<string, readonly NewsEvent[]>;
  /** Slugs of all configured sites; absent where the configuration does not tell all. */
  configured?: ReadonlySet<string>;
  /** Start of the run. */
  now: Temporal.Instant;
}

/** A message, and the key of the channel that it goes to. */
export interface PlannedMessage {
  channel: string;
  message: Message;
}

/**
 * Plans the messages of each channel, and what is remembered of it; {@linkcode hear} decides which events are
 * sent and when. Each site gets a message of its own, but a channel with `grouped` or a least interval gets one
 * message for all, unless it takes one event at a time. During that interval, or the group interval that
 * starts with a message with something new, everything waits, and the first run after it sends one message.
 * Messages that could not be sent wait for no interval: they are planned again together with everything
 * since, which results in the same message if nothing has happened since.
 */
export function planMessages(
  tidings: Tidings,
): { messages: PlannedMessage[]; memory: ChannelMemories } {
  const planned = tidings.channels.map((channel) => ({ channel, ...planFor(channel, tidings) }));
  return {
    messages: planned.flatMap(({ channel: { key }, messages }) =>
      messages.map((events) => ({ channel: key, message: messageOf(key, events) }))
    ),
    memory: {
      ...tidings.isPartial ? absent(tidings) : {},
      ...Object.fromEntries(
        planned.filter(({ memory: { last, held, told } }) =>
          last !== undefined || held.length > 0 || told.length > 0
        ).map(({ channel: { key }, memory }) => [key, memory]),
      ),
    },
  };
}

interface Planned {
  messages: NewsEvent[][];
  memory: ChannelMemory;
}

function planFor(channel: ListeningChannel, tidings: Tidings): Planned {
  const { events, standing, memory, configured, now, unsent } = tidings;
  const kept = memory === undefined
    ? presumed(channel, tidings)
    : withRightClock(afterAbsence(memory[channel.key] ?? NOTHING_TOLD, channel), now);
  const again = unsent?.get(channel.key) ?? [];
  const isLate = again.length > 0;
  const restored = { ...kept, ...hearAgain(kept, again, { wanted: channel.hears, now }) };
  const { before, events: unsure } = withoutUnsure(restored, standing);
  const { held, told: known } = [...unsure, ...events].reduce<Heard>(
    (heard, event) =>
      event.kind === "notice" && !hearsNotice(channel, event)
        ? heard
        : hear(heard, event, { wanted: channel.hears(event.slug), now }),
    before,
  );
  const told = known.filter(({ slug }) => configured?.has(slug) ?? true);
  if (!isLate && isWaiting(channel, before, now)) {
    return { messages: [], memory: { ...before, held, told } };
  }
  const delays = channel.reminders;
  const { reminders, told: reminded } = remind({ held, told }, standing, { delays, now });
  const due = [...held, ...reminders];
  if (due.length === 0) return { messages: [], memory: { held: [], told: reminded } };
  const isNews = held.some((event) => !before.held.includes(event));
  const after = {
    last: now,
    ...channel.grouped && channel.groupInterval > 0 && (isNews || (isLate && before.window))
      ? { window: true as const }
      : {},
  };
  const slugs = new Set(due.map(({ slug }) => slug));
  const toldNow = reminded.map((one): Told => slugs.has(one.slug) ? { ...one, at: now } : one);
  return {
    messages: messagesOf(due, channel),
    memory: {
      ...isWaiting(channel, after, now) ? after : {},
      held: [],
      told: toldNow,
    },
  };
}

/**
 * A notice about a site goes to the channels that are notified when it is down, its end also to those that are
 * notified of recoveries. One about the monitor goes to all channels that can be sent something now.
 */
function hearsNotice(channel: ListeningChannel, { site, over }: NewsEvent): boolean {
  if (site === undefined) return channel.hearsAnything && !channel.isUnsendable;
  const news = channel.hears(site);
  return news.includes("down") || (over === true && news.includes("up"));
}

/** The events of one moment as messages: one for each event, for each site, or one in all. */
function messagesOf(
  due: NewsEvent[],
  { takesOne, grouped, minInterval }: ListeningChannel,
): NewsEvent[][] {
  if (takesOne) return due.map((event) => [event]);
  return grouped || minInterval > 0 ? [due] : [...Map.groupBy(due, subjectOf).values()];
}

/** Whether a channel is sent nothing yet, because of its last message. */
function isWaiting(
  { minInterval, grouped, groupInterval }: ListeningChannel,
  { last, window }: Pick<ChannelMemory, "last" | "window">,
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
  { hears }: ListeningChannel,
  { events, standing, open = standing.flatMap(outageOf), isLost, now: at }: Tidings,
): ChannelMemory {
  const unsure = isLost ? { unsure: true as const } : {};
  const told = open.filter(({ slug, kind }) => hears(slug).includes(kind))
    .map((outage): Told => ({ ...outage, at, ...unsure }));
  const slugs = new Set(told.map(({ slug }) => slug));
  const over = events.filter(({ kind, slug }) => kind === "up" && !slugs.has(slug))
    .map(({ slug, incident }): Told => ({ slug, kind: "down", incident, at }));
  return { held: [], told: [...told, ...over] };
}

function outageOf({ slug, incident, kind }: NewsEvent): OpenOutage[] {
  return kind === "down" || kind === "degraded" ? [{ slug, incident, kind }] : [];
}

/**
 * Separates outages that a channel may not have been notified of, because the run state was lost: they become
 * events again, with the same ids, as soon as the site is seen to be down outside of maintenance.
 */
function withoutUnsure<T extends Heard>(
  before: T,
  standing: readonly NewsEvent[],
): { before: T; events: NewsEvent[] } {
  const unsure = before.told.filter(({ unsure }) => unsure);
  const events = standing.filter(({ slug, incident }) =>
    unsure.some((one) => one.slug === slug && one.incident === incident)
  );
  const slugs = new Set(events.map(({ slug }) => slug));
  const told = before.told.filter(({ slug }) => !slugs.has(slug));
  return { before: events.length === 0 ? before : { ...before, told }, events };
}

/** One message of events; its name is the same whoever plans it, and another one if they say something else. */
function messageOf(key: string, events: readonly NewsEvent[]): Message {
  const names = events.map(({ id, was, missed }) =>
    [id, was === undefined ? "" : "whole", missed?.times ?? ""].filter((part) => part !== "").join(
      "+",
    )
  );
  return { id: shortHash([key, ...names].join("\n")), events };
}
