import {
  isOfSite,
  type KnownState,
  type NewsEvent,
  type Outage,
  type SiteNews,
} from "./message.ts";
import {
  findHeldEvents,
  isAbout,
  longerWhole,
  partOf,
  replaceHeldEvents,
  sumOf,
  toMissed,
  wholeOutage,
  withLaterEnd,
} from "./held_events.ts";

/** An outage that a channel was notified of, or whose message is waiting. */
export interface NotifiedOutage {
  slug: string;
  kind: Outage;
  /** Set if the channel was notified that the site is flapping; nothing follows until it stays up, or down. */
  flapping?: true;
  /** Set if it is unknown whether the channel was notified, because the run state was lost. */
  unsure?: true;
  /** Name of the incident. */
  incident: string;
  /** Time of the last message about it. */
  at: Temporal.Instant;
  /** Number of reminders sent; absent if none. */
  reminders?: number;
}

/** Events waiting for a channel, and the outages that it knows of once they are sent. */
export interface DeliveryState {
  /**
   * In order of time; at most two events of a site: the end of the outage that the channel knows of, and
   * the latest state. Outages that killed runs may have sent have ends of their own.
   */
  held: readonly NewsEvent[];
  notified: readonly NotifiedOutage[];
}

/**
 * Applies an event to what a channel knows. Messages of down and up alternate for each site, and unsent
 * events are condensed to the latest state:
 *
 * | channel knows             | event          | message                                             |
 * | ------------------------- | -------------- | --------------------------------------------------- |
 * | nothing                   | down, degraded | the event                                           |
 * | nothing                   | up             | none, unless the channel wants only `up`            |
 * | that the site is degraded | down           | the event                                           |
 * | that the site is down     | degraded       | the event                                           |
 * | that the site is down     | down           | none, unless it is another incident                 |
 * | either                    | up             | the event; after it the channel knows nothing       |
 * | an unsent outage          | degraded, down | only the latest                                     |
 * | an unsent outage          | up             | one message: the outage and its length              |
 * | an unsent end             | down           | the event, and how often and long it was down before |
 *
 * Unwanted events don't change what the channel knows, but an end does: a channel with `on: [down]` is
 * notified of the next outage too. A channel that doesn't want ends is still sent the one message of an
 * outage that ended before it could be sent.
 */
export function applyEvent(
  state: DeliveryState,
  event: NewsEvent,
  { wanted, now }: { wanted: readonly SiteNews[]; now: Temporal.Instant },
): DeliveryState {
  const { kind } = event;
  if (kind === "notice") return applyNotice(state, event);
  if (event.reminder) return applyReminder(state, event);
  if (event.was !== undefined) return applyWholeOutage(state, event);
  if (kind === "up") return applyEnd(state, event, wanted);
  return wanted.includes(kind) ? applyOutage(state, event, kind, now) : state;
}

/**
 * Applies events that no run could send, before those that are held back. The channel knows the state that
 * it was sent before the first of them.
 */
export function applyUnsent(
  { held, notified }: DeliveryState,
  unsent: readonly NewsEvent[],
  { wanted, now }: { wanted(slug: string): readonly SiteNews[]; now: Temporal.Instant },
): DeliveryState {
  if (unsent.length === 0) return { held, notified };
  const events = [...unsent, ...held];
  const news = events.filter((event) => isOfSite(event) && event.reminder === undefined);
  const first = new Map(news.toReversed().map((event) => [event.slug, event]));
  const known = new Map(notified.map((one) => [one.slug, one]));
  const bases = [...first.values()].flatMap((event): NotifiedOutage[] => {
    const { slug, incident, kind, was, knew } = event;
    const own = known.get(slug);
    // Events that an earlier version kept don't say what was known: an end is of something that was sent.
    const base = knew ?? (kind === "up" && was === undefined ? "down" : undefined);
    if (base === undefined) return [];
    const { at = now, reminders } = own?.incident === incident ? own : {};
    const count = reminders === undefined ? {} : { reminders };
    return [{ slug, ...knownAs(base), incident, at, ...count }];
  });
  const others = notified.filter(({ slug }) => !first.has(slug));
  return events.reduce<DeliveryState>((state, event) => {
    const kinds = event.kind === "up" && event.knew !== undefined
      ? [...wanted(event.slug), "up" as const]
      : wanted(event.slug);
    return applyEvent(state, event, { wanted: kinds, now });
  }, { held: [], notified: [...others, ...bases] });
}

function applyOutage(
  { held, notified }: DeliveryState,
  event: NewsEvent,
  kind: Outage,
  now: Temporal.Instant,
): DeliveryState {
  const { slug, incident } = event;
  const last = notified.find((one) => one.slug === slug);
  const same = last?.incident === incident ? last : undefined;
  const state = event.flapping === undefined ? kind : "flapping";
  const known = same && knownState(same);
  if (known === state) return { held, notified };
  const { ends, whole, outage } = findHeldEvents(held, slug);
  const before = outage?.incident === incident ? outage : undefined;
  const knew = before === undefined ? known : before.knew;
  const { knew: _, ...rest } = event;
  const missed = sumOf([before?.missed, whole && toMissed(whole), event.missed]);
  const affected = [...new Set([...before?.affected ?? [], ...event.affected ?? []])];
  const news: NewsEvent = {
    ...rest,
    ...knew === undefined ? {} : { knew },
    ...before === undefined ? {} : { unsent: partOf(before) },
    ...missed === undefined ? {} : { missed },
    ...affected.length === 0 ? {} : { affected },
    ...before?.maybeSent ? { maybeSent: true as const } : {},
  };
  const isKnown = knew === state && !news.maybeSent;
  const others = notified.filter((one) => one !== last);
  return {
    held: replaceHeldEvents(held, slug, [...ends, isKnown ? undefined : news]),
    notified: [...others, {
      slug,
      kind,
      ...state === "flapping" ? { flapping: true as const } : {},
      incident,
      at: now,
    }],
  };
}

function applyEnd(
  { held, notified }: DeliveryState,
  event: NewsEvent,
  wanted: readonly SiteNews[],
): DeliveryState {
  const { slug } = event;
  const known = notified.find((one) => one.slug === slug);
  const others = notified.filter((one) => one !== known);
  const { ends, whole, outage } = findHeldEvents(held, slug);
  if (outage !== undefined && (outage.knew ?? "degraded") === "degraded") {
    const own = withLaterEnd(ends, wholeOutage(outage, event));
    return { held: replaceHeldEvents(held, slug, own), notified: others };
  }
  const isNotified = wanted.includes("up") &&
    (known !== undefined || wanted.every((one) => one === "up"));
  const knew = outage?.knew ?? (known && knownState(known));
  const news = { ...event, ...knew === undefined ? {} : { knew } };
  return {
    held: replaceHeldEvents(held, slug, isNotified ? [news] : ends.length > 0 ? ends : [whole]),
    notified: others,
  };
}

/** The state of a site that a channel was last notified of. */
export function knownState(
  { kind, flapping }: Pick<NotifiedOutage, "kind" | "flapping">,
): KnownState {
  return flapping ? "flapping" : kind;
}

/** The reverse of {@linkcode knownState}. */
export function knownAs(state: KnownState): Pick<NotifiedOutage, "kind" | "flapping"> {
  return state === "flapping" ? { kind: "down", flapping: true } : { kind: state };
}

/** Applies an outage that ended before it could be sent. */
function applyWholeOutage({ held, notified }: DeliveryState, event: NewsEvent): DeliveryState {
  const { slug } = event;
  const { ends, whole, outage } = findHeldEvents(held, slug);
  const missed = sumOf([whole && toMissed(whole), event.missed]);
  const before = outage?.incident === event.incident ? outage : undefined;
  const own = before === undefined ? event : longerWhole(before, event);
  const over = { ...own, ...missed === undefined ? {} : { missed } };
  return {
    held: replaceHeldEvents(held, slug, withLaterEnd(ends, over)),
    notified: notified.filter((one) => one.slug !== slug),
  };
}

/**
 * Applies a notice. Start and end of a problem of the monitor cancel each other while they wait: the
 * channel knows the present state already. Of two starts or two ends the later is sent.
 */
function applyNotice({ held, notified }: DeliveryState, event: NewsEvent): DeliveryState {
  const { incident, over = false } = event;
  const unsent = held.findLast((one) => one.kind === "notice" && one.incident === incident);
  const others = held.filter((one) => one !== unsent);
  const isCancelled = unsent !== undefined && (unsent.over ?? false) !== over;
  return { held: isCancelled ? others : [...others, event], notified };
}

/** Applies a reminder, unless something newer waits or the outage is over. */
function applyReminder({ held, notified }: DeliveryState, event: NewsEvent): DeliveryState {
  const { slug, incident } = event;
  const isNewer = held.some((one) => isAbout(one, slug) && one.reminder === undefined);
  const isOn = notified.some((one) => one.slug === slug && one.incident === incident);
  return isNewer || !isOn
    ? { held, notified }
    : { held: replaceHeldEvents(held, slug, [event]), notified };
}
