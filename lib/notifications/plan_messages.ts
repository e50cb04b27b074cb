import type { Language } from "../text/language.ts";
import { shortHash } from "../text/words.ts";
import { isBefore } from "../time.ts";
import { planSilentEnds } from "./alerts.ts";
import type { Subscriber } from "./channel_list.ts";
import { applyPatches, type ChannelState, type Notified, type Patch } from "./channel_state.ts";
import { gate, isQuiet, type Moment, toFacts } from "./gate.ts";
import { type Message, toAbout } from "./message.ts";
import { findNews, type News, opensAlert } from "./news.ts";
import { byIncident, type Subject } from "./subject.ts";

/** A message, and the changes to what its channel was notified of once it is sent. */
export interface PlannedMessage extends Message {
  patches: Patch[];
  /** True if the group interval starts with it. */
  opensWindow: boolean;
}

export interface MessageCauses {
  subjects: readonly Subject[];
  /** True if there is a file of an incident. */
  isKnown(incident: string): boolean;
  /** Start of the run before. */
  before?: Temporal.Instant;
  hasChat: boolean;
  language: Language;
  now: Temporal.Instant;
}

/**
 * Plans the messages of a channel: the difference between how everything is now and what the channel was notified of.
 * News that wait are not stored, because the next run finds them again. `sending` is the state of the channel once the
 * messages that another run has claimed are sent.
 */
export function planMessages(
  channel: Subscriber,
  known: { stored: ChannelState; sending: ChannelState },
  causes: MessageCauses,
): { messages: PlannedMessage[]; state: ChannelState } {
  const { before, now } = causes;
  const stored = withRightClock(known.stored, now);
  const sending = withRightClock(known.sending, now);
  const moment: Moment = {
    ...causes,
    isQuiet: channel.quiet !== undefined && isQuiet(channel.quiet, now),
    isWaiting: isInInterval(channel, sending, now),
  };
  const { due, left } = selectNews(channel, sending, moment, causes);
  const silent = planSilent(sending.notified, channel, causes);
  const readable = groupNews(due, channel, !moment.isQuiet && isDigest(due, channel, before))
    .map((own) => joinNews(own, channel, own.some((news) => isNew(news, stored, before))));
  const after = [...silent, ...readable].reduce(
    (state, { patches }) => applyPatches(state, patches, { at: now }),
    sending,
  );
  return {
    // An alert about an outage that somebody acknowledged earlier is acknowledged at once.
    messages: [...silent, ...readable, ...planSilent(after.notified, channel, causes)],
    state: {
      ...moment.isWaiting ? pickInterval(stored) : {},
      notified: [
        ...selectNeeded({ stored, sending }, left, channel, causes),
        ...toUnsent(left, stored, now),
      ],
    },
  };
}

/** Finds the news of a channel: those that are sent now, and with those that wait all that are left to be sent. */
function selectNews(
  channel: Subscriber,
  { notified }: ChannelState,
  moment: Moment,
  { subjects, language, now }: Pick<MessageCauses, "subjects" | "language" | "now">,
): { due: News[]; left: News[] } {
  const known = byIncident(notified);
  const found = subjects.toSorted(compareSubjects)
    .flatMap((subject) =>
      findNews(subject, known.get(subject.incident), channel, { now, language })
    );
  const passing = withoutRepeated(found)
    .map((news) => ({ news, passage: gate(toFacts(news, channel, moment)) }));
  return {
    due: passing.flatMap(({ news, passage }) => passage === "send" ? [news] : []),
    left: passing.flatMap(({ news, passage }) => passage === "skip" ? [] : [news]),
  };
}

function planSilent(
  notified: readonly Notified[],
  channel: Subscriber,
  causes: MessageCauses,
): PlannedMessage[] {
  return planSilentEnds(notified, channel, causes)
    .map(({ event, patches }) => toMessage(channel, [event], patches));
}

/** False for news that start no group interval: those that have waited for one, and what repeats or answers others. */
function isNew(
  { kind, event: { since } }: News,
  { window }: ChannelState,
  before: Temporal.Instant | undefined,
): boolean {
  return kind !== "reminder" && kind !== "person" &&
    (!window || before === undefined || Date.parse(since) > before.epochMilliseconds);
}

/** What has ended comes first, and everything in the order in which it happened. */
function compareSubjects(one: Subject, other: Subject): number {
  const rank = ({ state }: Subject) => state === undefined ? 0 : 1;
  return rank(one) - rank(other) || Date.parse(one.event.since) - Date.parse(other.event.since);
}

function pickInterval({ last, window }: ChannelState): Pick<ChannelState, "last" | "window"> {
  return { last, ...window ? { window } : {} };
}

/** Outages that ended before the channel was notified of them are remembered until it is. */
function toUnsent(
  left: readonly News[],
  { notified }: ChannelState,
  at: Temporal.Instant,
): Notified[] {
  const known = byIncident(notified);
  return left.filter(({ kind, subject }) =>
    (kind === "was" || kind === "end") && !known.has(subject.incident)
  ).map(({ subject: { slug, incident } }) => ({ slug, incident, at }));
}

/** True at the end of quiet hours: all news since their start are one message. */
function isDigest(
  due: readonly News[],
  { quiet }: Subscriber,
  before: Temporal.Instant | undefined,
): boolean {
  if (quiet === undefined) return false;
  const times = due.filter(({ kind }) => kind !== "reminder" && kind !== "person")
    .map(({ event: { since } }) => Temporal.Instant.from(since));
  return [...times, ...before === undefined ? [] : [before]].some((time) => isQuiet(quiet, time));
}

/** What is still open, or whose end is `left` to be sent; one that is being sent may still fail. */
function selectNeeded(
  { stored, sending }: { stored: ChannelState; sending: ChannelState },
  left: readonly News[],
  { alerts }: Subscriber,
  { subjects, isKnown }: MessageCauses,
): Notified[] {
  const bySubject = byIncident(subjects);
  const unsent = new Set(left.map(({ subject: { incident } }) => incident));
  const after = byIncident(sending.notified);
  return stored.notified.filter(({ incident, kind, alert, over }) => {
    if (!over && after.get(incident)?.over) return true;
    if (alert !== undefined && alerts !== undefined) return true;
    const subject = bySubject.get(incident);
    if (subject === undefined) return kind === "notice" || isKnown(incident);
    return subject.state !== undefined || unsent.has(incident);
  });
}

/** Leaves out that a site is checked again if the same message says that it is up again. */
function withoutRepeated(all: readonly News[]): News[] {
  const ended = new Set(
    all.flatMap(({ kind, subject: { slug } }) => kind === "end" || kind === "was" ? [slug] : []),
  );
  return all.filter(({ kind, event: { topic, site = "" } }) =>
    kind !== "end" || topic !== "unknown" || !ended.has(site)
  );
}

function isInInterval(
  { minInterval, grouped, groupInterval }: Subscriber,
  { last, window }: ChannelState,
  now: Temporal.Instant,
): boolean {
  const interval = Math.max(minInterval, grouped && window ? groupInterval : 0);
  return last !== undefined && now.epochMilliseconds - last.epochMilliseconds < interval;
}

/** Alerts of a run at a service that handles one incident at a time; more incidents share a single one. */
const MOST_ALERTS = 20;
/** Number of sites with the same news from which they share a message. */
const LEAST_ALIKE = 5;
/** Messages of a run to one channel; more sites share a single one, as they share an issue. */
const MOST_MESSAGES = 100;

function groupNews(due: readonly News[], channel: Subscriber, isDigest: boolean): News[][] {
  if (due.length === 0) return [];
  const { takesOne, alerts, grouped, minInterval } = channel;
  const { alerting = [], others = [], open = [] } = Object.groupBy(
    due,
    ({ event, alert }) =>
      !opensAlert(channel, event) ? "others" : alert === undefined ? "alerting" : "open",
  );
  // Incidents that share an alert stay in one message.
  const repeated = [...Map.groupBy(open, ({ alert }) => alert).values()];
  const fresh = due.filter((news) => !open.includes(news));
  if (takesOne) {
    const joined = alerts === undefined ? others : alerting;
    if (joined.length <= MOST_ALERTS || channel.notification.type === "webhook") {
      return [...repeated, ...fresh.map((news) => [news])];
    }
    const rest = fresh.filter((news) => !joined.includes(news)).map((news) => [news]);
    return [...repeated, joined, ...rest];
  }
  if (isDigest || grouped || minInterval > 0) {
    return [...repeated, ...fresh.length === 0 ? [] : [fresh]];
  }
  const emergencies = [...repeated, ...alerting.length === 0 ? [] : [alerting]];
  const rest = alerts === "emergencies" ? others : due;
  if (grouped === false) return [...emergencies, ...groupBySite(rest)];
  const likeness = (own: readonly News[]) => own.map(toLikeness).join("\n");
  const alike = [...Map.groupBy(groupBySite(rest), likeness).values()].flatMap((groups) =>
    groups.length < LEAST_ALIKE ? groups : [groups.flat()]
  );
  return [...emergencies, ...alike.length > MOST_MESSAGES ? [[...rest]] : alike];
}

/** All news of a site are one message. */
function groupBySite(news: readonly News[]): News[][] {
  return [...Map.groupBy(news, ({ event }) => toAbout(event)).values()];
}

/** Equal for news that read alike: sites that change for the same reason, or that one person has acknowledged. */
function toLikeness({ kind, subject, event }: News): string {
  if (subject.worst === undefined) return event.id;
  const { news, acknowledged, muted } = event;
  const person = kind === "person" ? `${news} ${(muted ?? acknowledged)?.by}` : "";
  return [kind, event.kind, person || subject.reason].join("\n");
}

function joinNews(own: readonly News[], channel: Subscriber, isNew: boolean): PlannedMessage {
  const events = own.map(({ event }) => event);
  const alerting = own.filter(({ event }) => opensAlert(channel, event));
  const patches = own.map(({ patch }) => patch);
  const [{ alert: open, event: { incident } }] = own as [News];
  const isAlert = open === undefined
    ? alerting.length > 1 || (channel.takesOne && own.length > 1)
    : open !== incident && alerting.length > 0;
  const message = toMessage(channel, events, patches, isNew);
  if (!isAlert) return message;
  // The incidents share one alert at the vendor.
  const alert = open ?? message.id;
  return {
    ...message,
    events: message.events.map((event) => ({ ...event, alert })),
    patches: patches.map((patch) => patch.alert === undefined ? patch : { ...patch, alert }),
  };
}

function toMessage(
  { key, grouped = false, groupInterval }: Subscriber,
  events: Message["events"],
  patches: Patch[],
  isNew = false,
): PlannedMessage {
  const id = messageId(key, events);
  const opensWindow = isNew && grouped && groupInterval > 0;
  return { id, events, patches, opensWindow };
}

/** The id of a message: the same in every run that plans it, because it depends on the events alone. */
export function messageId(channel: string, events: Message["events"]): string {
  const names = events.map(({ id, was }) => was === undefined ? id : `${id}+whole`);
  return shortHash([channel, ...names].join("\n"));
}

/** Later times were written by a wrong clock. */
const OVERLAP = { minutes: 10 };

/** Replaces times that a wrong clock has written with the present, so that nothing waits longer for them. */
function withRightClock(state: ChannelState, now: Temporal.Instant): ChannelState {
  const { last, notified } = state;
  const limit = now.add(OVERLAP);
  const right = (time: Temporal.Instant) => isBefore(limit, time) ? now : time;
  return {
    ...state,
    ...last === undefined ? {} : { last: right(last) },
    notified: notified.map((one) => ({ ...one, at: right(one.at) })),
  };
}
