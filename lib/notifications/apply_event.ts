import type { ChannelState, NotifiedOutage } from "./channel_state.ts";
import {
  EVENT_KINDS,
  type EventKind,
  findAcknowledgementKey,
  isOfSite,
  isOutage,
  isSame,
  type KnownState,
  type Outage,
  type SiteEvent,
} from "./message.ts";
import { isGapNotice } from "./notices.ts";

/**
 * Applies an event to the state of a channel. Messages of down and up alternate for each site, and unsent
 * events of an outage are condensed to its latest state:
 *
 * | channel knows             | event          | message                                       |
 * | ------------------------- | -------------- | --------------------------------------------- |
 * | nothing                   | down, degraded | the event                                     |
 * | nothing                   | up             | none, unless the channel wants only `up`      |
 * | that the site is degraded | down           | the event                                     |
 * | that the site is down     | degraded       | the event                                     |
 * | that the site is down     | down           | none, unless it is another incident           |
 * | either                    | up             | the event; after it the channel knows nothing |
 * | an unsent outage          | degraded, down | only the latest                               |
 * | an unsent outage          | up             | one message: the outage and its length        |
 *
 * Unwanted events don't change what the channel knows, but an end does: a channel with `on: [down]` is
 * notified of the next outage too. A channel that doesn't want ends is still sent the one message of an
 * outage that ended before it could be sent. `notified` has the state once everything held is sent.
 */
export function applyEvent<T extends Pick<ChannelState, "held" | "notified">>(
  state: T,
  event: SiteEvent,
  { wanted, now }: { wanted: readonly EventKind[]; now: Temporal.Instant },
): T {
  const { held, notified } = state;
  const { kind, slug, incident } = event;
  if (!isOfSite(event)) return { ...state, held: applyNotice(held, event) };
  const last = notified.find((one) => one.slug === slug);
  const others = notified.filter((one) => one !== last);
  const own = held.filter((one) => isAbout(one, slug) && !one.reminder);
  const rest = held.filter((one) => !isAbout(one, slug));
  if (event.reminder) {
    const isNewest = own.length === 0 && last?.incident === incident;
    return isNewest ? { ...state, held: [...rest, event] } : state;
  }
  const outage = own.at(-1)?.kind === "up" ? undefined : own.pop();
  if (isOutage(kind)) {
    if (!wanted.includes(kind)) return state;
    const known = last?.incident === incident ? knownState(last) : undefined;
    const present = event.flapping === undefined ? kind : "flapping";
    if (known === present) return state;
    const before = outage?.incident === incident ? outage : undefined;
    const knew = before === undefined ? known : before.knew;
    if (knew !== present) own.push(withEarlier({ ...event, knew }, before));
    const flapping = present === "flapping" ? { flapping: true as const } : {};
    const acknowledged = event.acknowledged && { acknowledged: findAcknowledgementKey(event) };
    return {
      ...state,
      held: [...rest, ...own],
      notified: [...others, { slug, kind, ...flapping, incident, at: now, ...acknowledged }],
    };
  }
  // An end that is planned again says itself of what it is the end.
  const knew = outage?.knew ?? (last ? knownState(last) : event.knew);
  if (event.was !== undefined) {
    own.push(outage?.incident === incident ? toEndedOutage(outage, event) : event);
  } else if (outage !== undefined && (outage.knew ?? "degraded") === "degraded") {
    own.push(toEndedOutage(outage, event));
  } else if (wanted.includes("up") && (last || event.knew || wanted.every((one) => one === "up"))) {
    own.push(compact({ ...event, knew }));
  }
  return { ...state, held: [...rest, ...own], notified: others };
}

/**
 * Applies unsent events, then those held back since; earlier ones of a site, which only quiet hours hold back,
 * stay as they are. The channel knows the state from before the first of them.
 */
export function applyUnsent(
  state: ChannelState,
  unsent: readonly SiteEvent[],
  now: Temporal.Instant,
): ChannelState {
  const first = new Map(
    unsent.filter((event) => isOfSite(event) && !event.reminder).toReversed()
      .map((event) => [event.slug, event]),
  );
  const isKept = (event: SiteEvent) => {
    const one = first.get(event.slug);
    return isOfSite(event) &&
      (one === undefined || Date.parse(event.since) < Date.parse(one.since));
  };
  const events = [...unsent, ...state.held.filter((event) => !isKept(event))];
  const known = [...first.values()].flatMap((event): NotifiedOutage[] => {
    const { slug, incident, kind, was, knew } = event;
    // An end without a known state is of something that was sent.
    const base = knew ?? (kind === "up" && was === undefined ? "down" : undefined);
    const last = state.notified.find((one) => isSame(one, event));
    if (base === undefined) return [];
    const { at = now, reminders } = last ?? {};
    return [compact({ slug, ...knownAs(base), incident, at, reminders })];
  });
  const others = state.notified.filter(({ slug }) => !first.has(slug));
  const start = { ...state, held: state.held.filter(isKept), notified: [...others, ...known] };
  const after = events.reduce(
    (before, event) => applyEvent(before, event, { wanted: EVENT_KINDS, now }),
    start,
  );
  const isOther = (event: SiteEvent) => start.held.includes(event) && !first.has(event.slug);
  const byOther = Map.groupBy(after.held, isOther);
  // Outages that were sent after the end of another, which could not be.
  const sent = state.notified.filter((one) =>
    first.has(one.slug) &&
    !events.some((event) => isOfSite(event) && !event.reminder && isSame(event, one))
  );
  return {
    ...after,
    held: [...byOther.get(false) ?? [], ...byOther.get(true) ?? []],
    notified: [
      ...after.notified.filter(({ slug }) => !sent.some((one) => one.slug === slug)),
      ...sent,
    ],
  };
}

/** The state of a site that a channel was last notified of. */
function knownState({ kind, flapping }: Pick<NotifiedOutage, "kind" | "flapping">): KnownState {
  return flapping ? "flapping" : kind;
}

/** The reverse of {@linkcode knownState}. */
export function knownAs(state: KnownState): Pick<NotifiedOutage, "kind" | "flapping"> {
  return state === "flapping" ? { kind: "down", flapping: true } : { kind: state };
}

/** True if an event is about a site, and not about the monitor itself. */
export function isAbout(event: SiteEvent, slug: string): boolean {
  return event.slug === slug && isOfSite(event);
}

/** Adds the start and the worst state of an unsent outage to its present state. */
function withEarlier(event: SiteEvent, before: SiteEvent | undefined): SiteEvent {
  const affected = [...new Set([...before?.affected ?? [], ...event.affected ?? []])];
  const unsent = before && worstPart(before);
  const mayBeSent = event.mayBeSent ?? before?.mayBeSent;
  return compact({
    ...event,
    unsent,
    mayBeSent,
    affected: affected.length === 0 ? undefined : affected,
  });
}

/** Merges the end of an outage with the part of it that was not sent. */
function toEndedOutage(outage: SiteEvent, end: SiteEvent): SiteEvent {
  const part = worstPart(outage);
  const { code, error, attempts } = part.kind === "down" || end.was === undefined ? part : end;
  const lasted = Math.max(0, Date.parse(end.since) - Date.parse(part.since));
  const was = end.was === "down" ? end.was : part.kind;
  const { flapping, affected } = outage;
  const found = { was, lasted, code, error, attempts, flapping, affected };
  return compact({ ...end, ...found, responseTime: undefined, knew: undefined });
}

function worstPart(outage: SiteEvent): NonNullable<SiteEvent["unsent"]> {
  const start = outage.unsent ?? outage;
  const { kind, code, error, attempts } = start.kind === "down" ? start : outage;
  return { kind: kind as Outage, since: start.since, code, error, attempts };
}

/**
 * Adds a notice. It replaces a waiting one about the same subject, but a start and an end that concern the monitor itself
 * cancel each other, unless they are about the past. Each piece of news of an outage is sent.
 */
function applyNotice(held: readonly SiteEvent[], event: SiteEvent): SiteEvent[] {
  if (event.news !== undefined) return [...held.filter(({ id }) => id !== event.id), event];
  const unsent = held.findLast((one) =>
    one.kind === "notice" && one.news === undefined && one.incident === event.incident
  );
  const others = held.filter((one) => one !== unsent);
  if (unsent !== undefined && unsent.over !== event.over && isGapNotice(event)) {
    return [...held, event];
  }
  const isCanceled = unsent !== undefined && unsent.over !== event.over &&
    event.topic === undefined;
  return isCanceled ? others : [...others, event];
}

/** Removes keys without a value, which a stored state doesn't have. */
function compact<T extends object>(value: T): T {
  return Object.fromEntries(
    Object.entries(value).filter(([, one]) => one !== undefined),
  ) as T;
}
