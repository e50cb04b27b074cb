import { DAY_NAMES, type QuietHours } from "../config/channels/keys.ts";
import type { Subscriber } from "./channel_list.ts";
import type { ChannelState, NotifiedOutage } from "./channel_state.ts";
import {
  type EventKind,
  isCritical,
  isOfSite,
  isOutage,
  isSame,
  type SiteEvent,
} from "./message.ts";
import { applyEvent, isAbout } from "./apply_event.ts";

/** Everything that decides about an event and a channel. */
export interface GateFacts {
  kind: "outage" | "end" | "reminder" | "notice";
  /** True if the channel is notified of such events of the site. */
  isRouted: boolean;
  /** Set for an incident that a channel with `after` knows nothing of: early until that time has passed. */
  step?: "early" | "due";
  isAcknowledged: boolean;
  /** True in the quiet hours of the channel, unless they except the event. */
  isQuiet: boolean;
  /** True if somebody has muted the site. */
  isMuted: boolean;
}

/**
 * `send`: now, or when an interval ends; `collect`: at the end of the quiet hours or of the mute; `wait`: the
 * next run decides again; `skip`: never.
 */
export type Passage = "send" | "collect" | "wait" | "skip";

/** The first rule that applies decides. docs/on-call.md shows this table. */
export const RULES: readonly [condition: Partial<GateFacts>, passage: Passage][] = [
  [{ isRouted: false }, "skip"],
  [{ kind: "reminder", isAcknowledged: true }, "skip"],
  [{ kind: "reminder", isQuiet: true }, "skip"],
  [{ kind: "reminder", isMuted: true }, "skip"],
  [{ step: "early" }, "wait"],
  [{ step: "due", isAcknowledged: true }, "wait"],
  [{ isQuiet: true }, "collect"],
  [{ isMuted: true }, "collect"],
  [{}, "send"],
];

/** Decides about every event, in every direction and at every step. */
export function gate(facts: GateFacts): Passage {
  const applies = (condition: Partial<GateFacts>) =>
    Object.entries(condition).every(([fact, value]) => facts[fact as keyof GateFacts] === value);
  return RULES.find(([condition]) => applies(condition))![1];
}

/** Collects the facts about an event; `notified` is what the channel knows, without the event itself. */
export function toFacts(
  event: SiteEvent,
  { channel, notified, isQuiet, isAcknowledged, muted, now }: {
    channel: Subscriber;
    notified: readonly Pick<NotifiedOutage, "slug" | "incident">[];
    /** True in the quiet hours of the channel. */
    isQuiet: boolean;
    isAcknowledged(event: SiteEvent): boolean;
    /** Slugs of the sites that somebody has muted. */
    muted?: ReadonlySet<string>;
    now: Temporal.Instant;
  },
): GateFacts {
  const { kind, slug, site = slug, reminder } = event;
  return {
    kind: reminder ? "reminder" : kind === "up" ? "end" : isOfSite(event) ? "outage" : "notice",
    isRouted: isRouted(channel, event),
    step: notified.some((one) => isSame(one, event)) ? undefined : findStep(channel, event, now),
    isAcknowledged: isAcknowledged(event),
    isQuiet: isQuiet && !isExempt(channel.quiet, event),
    isMuted: muted?.has(site) ?? false,
  };
}

/** True if a channel is notified of such events; of an end if it was notified of the outage. */
function isRouted(channel: Subscriber, event: SiteEvent): boolean {
  const { kind, slug, site, topic, about, over, news } = event;
  if (isOutage(kind)) return channel.wants(slug).includes(kind);
  // News of an outage is planned for channels that were notified of it.
  if (kind !== "notice" || news !== undefined) return true;
  if (topic !== undefined) {
    const slugs = about ?? (site === undefined ? [] : [site]);
    const asked = slugs.length === 0
      ? channel.topics()
      : slugs.flatMap((slug) => channel.topics(slug));
    if (asked.includes(topic)) return true;
    if (topic !== "unknown") return false;
  }
  // A notice about the monitor goes to all channels that can be sent something now.
  if (site === undefined) return channel.wantsAnything && !channel.isUnsendable;
  const kinds = channel.wants(site);
  return kinds.includes("down") || (over === true && kinds.includes("up"));
}

/** The step of an outage that a channel knows nothing of; `undefined` if it is notified at once. */
export function findStep(
  channel: Subscriber,
  { kind, slug, since, start = since }: Pick<SiteEvent, "kind" | "slug" | "start"> & {
    since?: string;
  },
  now: Temporal.Instant,
): GateFacts["step"] {
  const delay = isOutage(kind) ? channel.delay(slug, kind) : 0;
  if (delay === 0) return undefined;
  return start !== undefined && now.epochMilliseconds - Date.parse(start) < delay ? "early" : "due";
}

function isExempt(hours: QuietHours | undefined, event: SiteEvent): boolean {
  const { news, outage, kind } = event;
  // News of a critical outage is critical, so that nobody is woken by what somebody has taken on.
  const about = news === undefined ? kind : outage?.kind ?? "down";
  return hours?.except === "critical" && !event.reminder && isCritical({ ...event, kind: about });
}

/**
 * True in quiet hours: from one time of the day, included, to another, excluded, on the next day if that is
 * earlier. A time that DST skips is that much later, and of one that occurs twice the first counts.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const hours = { from: "22:00", to: "07:00", timezone: "Europe/Vienna" };
 * const times = ["2026-11-21T20:59Z", "2026-11-21T21:00Z", "2026-11-22T05:59Z", "2026-11-22T06:00Z"];
 * assertEquals(times.map((time) => isQuiet(hours, Temporal.Instant.from(time))), [false, true, true, false]);
 * ```
 */
export function isQuiet(
  { from, to, days, timezone: timeZone = "UTC" }: QuietHours,
  now: Temporal.Instant,
): boolean {
  const today = now.toZonedDateTimeISO(timeZone).toPlainDate();
  // Zones that have changed sides of the date line have skipped a whole day.
  return [-2, -1, 0].some((offset) => {
    const date = today.add({ days: offset });
    if (!(days?.includes(DAY_NAMES[date.dayOfWeek - 1]!) ?? true)) return false;
    const [last, plainTime] = to === "24:00"
      ? [date.add({ days: 1 }), "00:00"]
      : [from < to ? date : date.add({ days: 1 }), to];
    const start = date.toZonedDateTime({ timeZone, plainTime: from }).toInstant();
    const end = last.toZonedDateTime({ timeZone, plainTime }).toInstant();
    return Temporal.Instant.compare(start, now) <= 0 && Temporal.Instant.compare(now, end) < 0;
  });
}

/** The gate of a channel in a run; `notified` is what the channel knows without the event. */
export type ChannelGate = (event: SiteEvent, notified: ChannelState["notified"]) => Passage;

export function createGate(
  channel: Subscriber,
  run: {
    isQuiet: boolean;
    isAcknowledged(event: SiteEvent): boolean;
    muted?: ReadonlySet<string>;
    now: Temporal.Instant;
  },
): ChannelGate {
  return (event, notified) => gate(toFacts(event, { channel, notified, ...run }));
}

/**
 * Applies the events of a run that pass the gate of a channel, and the ongoing outages that have waited for it.
 * Messages that could not be sent are withdrawn if they have to wait meanwhile.
 */
export function admitEvents(
  before: ChannelState,
  { channel, gate, events, ongoing, now }: {
    channel: Subscriber;
    gate: ChannelGate;
    events: readonly SiteEvent[];
    ongoing: readonly SiteEvent[];
    now: Temporal.Instant;
  },
): ChannelState {
  const waited = ongoing.filter((event) => before.waiting?.some((one) => isSame(one, event)));
  const state = [...events, ...waited].reduce((state, event) => {
    const passage = gate(event, state.notified);
    if (passage === "skip") return state;
    if (passage === "wait") return withWaiting(state, event);
    const others = state.waiting?.filter(({ slug }) => slug !== event.slug);
    const wanted = findWanted(channel, event, state);
    return applyEvent({ ...state, waiting: others }, event, { wanted, now });
  }, before);
  return state.held.filter((event) => gateHeld(event, state, gate) === "wait").reduce(
    (state, event) =>
      withWaiting({
        ...state,
        held: state.held.filter((one) => one !== event),
        notified: state.notified.filter((one) => !isSame(one, event)),
      }, event),
    state,
  );
}

/** Splits what a channel holds into what can be sent now and what is collected; reminders are never collected. */
export function splitHeld(
  state: ChannelState,
  gate: ChannelGate,
): { due: SiteEvent[]; collected: SiteEvent[] } {
  const passages = new Map(state.held.map((event) => [event, gateHeld(event, state, gate)]));
  return {
    due: state.held.filter((event) =>
      passages.get(event) === "send" || (passages.get(event) === "skip" && !event.reminder)
    ),
    collected: state.held.filter((event) => passages.get(event) === "collect"),
  };
}

/** The events that a channel wants of a site; if it is no longer notified of it, the end of what it was notified of. */
function findWanted(
  { wants, wantsEnds }: Subscriber,
  event: SiteEvent,
  { notified }: ChannelState,
): readonly EventKind[] {
  const wanted = wants(event.slug);
  const isEnd = wantsEnds && event.kind === "up" && notified.some((one) => isSame(one, event));
  return wanted.length === 0 && isEnd ? ["up"] : wanted;
}

/** Decides about an event that a channel already counts as notified of. */
function gateHeld(event: SiteEvent, { notified }: ChannelState, gate: ChannelGate): Passage {
  const isNew = event.knew === undefined && !event.mayBeSent && !event.reminder;
  return gate(event, isNew ? [] : notified);
}

function withWaiting(state: ChannelState, { slug, incident }: SiteEvent): ChannelState {
  const others = state.waiting?.filter((one) => one.slug !== slug) ?? [];
  return { ...state, waiting: [...others, { slug, incident }] };
}

/**
 * Removes outages of muted sites that are over before they were sent: once the site is not muted any more, its
 * state is the one that was sent last. `before` are the events that waited before this run.
 */
export function withoutMutedPast(
  held: readonly SiteEvent[],
  before: readonly SiteEvent[],
  muted: ReadonlySet<string> = new Set(),
): SiteEvent[] {
  return held.filter((event) => {
    if (event.was === undefined || !muted.has(event.slug) || before.includes(event)) return true;
    const outage = before.find((one) => isAbout(one, event.slug) && one.kind !== "up");
    return outage !== undefined && (outage.knew !== undefined || outage.mayBeSent === true);
  });
}
