import {
  isOfSite,
  type KnownState,
  type NewsEvent,
  type Outage,
  type SiteNews,
} from "./message.ts";
import {
  isAbout,
  longerWhole,
  outageOf,
  partOf,
  pendingOf,
  sumOf,
  wholeOutage,
  withLaterEnd,
  withPending,
} from "./pending.ts";

/** An outage that a channel knows of, because it was told or because that waits to be told. */
export interface Told {
  slug: string;
  kind: Outage;
  /** Set if the channel was notified that the site is flapping; nothing follows until it stays up, or down. */
  flapping?: true;
  /** Set if it is unknown whether the channel was notified, because the run state was lost. */
  unsure?: true;
  /** Name of the incident. */
  incident: string;
  /** When it was told, or last told again. */
  at: Temporal.Instant;
  /** How often it was told again; absent where it was not. */
  reminders?: number;
}

/** What a channel is about to be told, and what it will know then. */
export interface Heard {
  /**
   * In the order in which it happened; of a site two events at most: the end of what was told, and its latest
   * state. Outages that killed runs may have sent have ends of their own.
   */
  held: readonly NewsEvent[];
  told: readonly Told[];
}

/**
 * What one more event is to a channel that wants to hear of some kinds. Down and up take turns for each
 * site, and what was not sent yet is condensed to the latest state:
 *
 * | it knows                  | what happens        | what it is told                                     |
 * | ------------------------- | ------------------- | --------------------------------------------------- |
 * | of nothing                | down, degraded      | that                                                |
 * | of nothing                | up                  | nothing, unless up is all that it wants to hear     |
 * | that the site is degraded | down                | that                                                |
 * | that the site is down     | degraded            | that                                                |
 * | that the site is down     | down again          | nothing, unless of another incident                 |
 * | of either                 | up                  | that, and from then on it knows of nothing          |
 * | of it by what waits       | degraded, down      | the latest of them alone                            |
 * | of it by what waits       | up                  | both at once: how the site was, and for how long    |
 * | that by what waits        | down again          | that, and how often and how long it was down before |
 *
 * What it does not want to hear changes nothing of what it knows, but an end does: one that hears of `down`
 * alone is told of the next one too. How the site was that is up again before that could be told is told
 * also where ends are not wanted, for it is the only news of the outage there will be.
 */
export function hear(
  heard: Heard,
  event: NewsEvent,
  { wanted, now }: { wanted: readonly SiteNews[]; now: Temporal.Instant },
): Heard {
  const { kind } = event;
  if (kind === "notice") return hearNotice(heard, event);
  if (event.reminder) return hearReminder(heard, event);
  if (event.was !== undefined) return hearWhole(heard, event);
  if (kind === "up") return hearEnd(heard, event, wanted);
  return wanted.includes(kind) ? hearOutage(heard, event, kind, now) : heard;
}

/**
 * Hears events again that no run could send, before those that are held back. What the channel was sent
 * before the first of a site is what it knows.
 */
export function hearAgain(
  { held, told }: Heard,
  unsent: readonly NewsEvent[],
  { wanted, now }: { wanted(slug: string): readonly SiteNews[]; now: Temporal.Instant },
): Heard {
  if (unsent.length === 0) return { held, told };
  const events = [...unsent, ...held];
  const news = events.filter((event) => isOfSite(event) && event.reminder === undefined);
  const first = new Map(news.toReversed().map((event) => [event.slug, event]));
  const known = new Map(told.map((one) => [one.slug, one]));
  const bases = [...first.values()].flatMap((event): Told[] => {
    const { slug, incident, kind, was, knew } = event;
    const own = known.get(slug);
    // Events that an earlier version kept don't say what was known: an end is of something that was sent.
    const base = knew ?? (kind === "up" && was === undefined ? "down" : undefined);
    if (base === undefined) return [];
    const { at = now, reminders } = own?.incident === incident ? own : {};
    const count = reminders === undefined ? {} : { reminders };
    return [{ slug, ...knownAs(base), incident, at, ...count }];
  });
  const others = told.filter(({ slug }) => !first.has(slug));
  return events.reduce<Heard>((heard, event) => {
    const kinds = event.kind === "up" && event.knew !== undefined
      ? [...wanted(event.slug), "up" as const]
      : wanted(event.slug);
    return hear(heard, event, { wanted: kinds, now });
  }, { held: [], told: [...others, ...bases] });
}

function hearOutage(
  { held, told }: Heard,
  event: NewsEvent,
  kind: Outage,
  now: Temporal.Instant,
): Heard {
  const { slug, incident } = event;
  const last = told.find((one) => one.slug === slug);
  const same = last?.incident === incident ? last : undefined;
  const state = event.flapping === undefined ? kind : "flapping";
  const known = same && stateOf(same);
  if (known === state) return { held, told };
  const { ends, whole, outage } = pendingOf(held, slug);
  const before = outage?.incident === incident ? outage : undefined;
  const knew = before === undefined ? known : before.knew;
  const { knew: _, ...rest } = event;
  const missed = sumOf([before?.missed, whole && outageOf(whole), event.missed]);
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
  const others = told.filter((one) => one !== last);
  return {
    held: withPending(held, slug, [...ends, isKnown ? undefined : news]),
    told: [...others, {
      slug,
      kind,
      ...state === "flapping" ? { flapping: true as const } : {},
      incident,
      at: now,
    }],
  };
}

function hearEnd({ held, told }: Heard, event: NewsEvent, wanted: readonly SiteNews[]): Heard {
  const { slug } = event;
  const known = told.find((one) => one.slug === slug);
  const others = told.filter((one) => one !== known);
  const { ends, whole, outage } = pendingOf(held, slug);
  if (outage !== undefined && (outage.knew ?? "degraded") === "degraded") {
    const own = withLaterEnd(ends, wholeOutage(outage, event));
    return { held: withPending(held, slug, own), told: others };
  }
  const isTold = wanted.includes("up") &&
    (known !== undefined || wanted.every((one) => one === "up"));
  const knew = outage?.knew ?? (known && stateOf(known));
  const news = { ...event, ...knew === undefined ? {} : { knew } };
  return {
    held: withPending(held, slug, isTold ? [news] : ends.length > 0 ? ends : [whole]),
    told: others,
  };
}

/** The state of a site that a channel was told last. */
export function stateOf({ kind, flapping }: Pick<Told, "kind" | "flapping">): KnownState {
  return flapping ? "flapping" : kind;
}

/** The reverse of {@linkcode stateOf}. */
export function knownAs(state: KnownState): Pick<Told, "kind" | "flapping"> {
  return state === "flapping" ? { kind: "down", flapping: true } : { kind: state };
}

/** Hears again of outages that were over before they could be sent. */
function hearWhole({ held, told }: Heard, event: NewsEvent): Heard {
  const { slug } = event;
  const { ends, whole, outage } = pendingOf(held, slug);
  const missed = sumOf([whole && outageOf(whole), event.missed]);
  const before = outage?.incident === event.incident ? outage : undefined;
  const own = before === undefined ? event : longerWhole(before, event);
  const over = { ...own, ...missed === undefined ? {} : { missed } };
  return {
    held: withPending(held, slug, withLaterEnd(ends, over)),
    told: told.filter((one) => one.slug !== slug),
  };
}

/**
 * Start and end of a problem of the monitor cancel each other while they wait: the channel then knows the
 * present state already. Of two starts or two ends the later is sent.
 */
function hearNotice({ held, told }: Heard, event: NewsEvent): Heard {
  const { incident, over = false } = event;
  const unsent = held.findLast((one) => one.kind === "notice" && one.incident === incident);
  const others = held.filter((one) => one !== unsent);
  const isCancelled = unsent !== undefined && (unsent.over ?? false) !== over;
  return { held: isCancelled ? others : [...others, event], told };
}

/** A reminder is worth sending as long as nothing newer waits and the outage is ongoing. */
function hearReminder({ held, told }: Heard, event: NewsEvent): Heard {
  const { slug, incident } = event;
  const isNewer = held.some((one) => isAbout(one, slug) && one.reminder === undefined);
  const isOn = told.some((one) => one.slug === slug && one.incident === incident);
  return isNewer || !isOn ? { held, told } : { held: withPending(held, slug, [event]), told };
}
