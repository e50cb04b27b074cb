import {
  isOfSite,
  type MissedOutages,
  type NewsEvent,
  type Outage,
  type UnsentPart,
} from "./message.ts";

/** Events about a site that wait to be sent. */
export interface HeldEvents {
  /** Ends of outages that the channel knows of: one, and those of outages that killed runs may have sent. */
  ends: NewsEvent[];
  /** Outages that ended before the channel was notified of them, as one event. */
  whole?: NewsEvent;
  /** The latest state of the outage that is ongoing. */
  outage?: NewsEvent;
}

/** Finds the events about a site that wait. */
export function findHeldEvents(held: readonly NewsEvent[], slug: string): HeldEvents {
  const own = held.filter((one) => isAbout(one, slug) && one.reminder === undefined);
  return {
    ends: own.filter((event) => event.kind === "up" && !isWhole(event)),
    whole: own.findLast(isWhole),
    outage: own.at(-1)?.kind === "up" ? undefined : own.at(-1),
  };
}

/** True if nothing was sent of an outage before its end. */
function isWhole({ was, knew }: NewsEvent): boolean {
  return was !== undefined && knew === undefined;
}

/** Replaces the waiting events about a site. */
export function replaceHeldEvents(
  held: readonly NewsEvent[],
  slug: string,
  events: readonly (NewsEvent | undefined)[],
): NewsEvent[] {
  const own = events.filter((event) => event !== undefined);
  return [...held.filter((one) => !isAbout(one, slug)), ...own];
}

/** True if an event is about a site, and not about the monitor itself. */
export function isAbout(event: NewsEvent, slug: string): boolean {
  return event.slug === slug && isOfSite(event);
}

/** Merges the end of an outage with the part of it that was not sent. */
export function wholeOutage(outage: NewsEvent, end: NewsEvent): NewsEvent {
  const { since, kind, code, error, attempts } = partOf(outage);
  const { missed, maybeSent, knew = maybeSent && kind } = outage;
  const affected = [...new Set(outage.affected ?? [])];
  const { responseTime: _, knew: __, ...rest } = end;
  return {
    ...rest,
    was: kind,
    lasted: Math.max(0, Date.parse(end.since) - Date.parse(since)),
    code,
    error,
    attempts,
    ...outage.flapping === undefined ? {} : { flapping: outage.flapping },
    ...knew === undefined ? {} : { knew },
    ...maybeSent ? { maybeSent } : {},
    ...missed === undefined ? {} : { missed },
    ...affected.length === 0 ? {} : { affected },
  };
}

/** Extends the end of an outage by an earlier part that was not sent either. */
export function longerWhole(before: NewsEvent, { knew: _, ...event }: NewsEvent): NewsEvent {
  const { kind, since } = partOf(before);
  const { maybeSent, knew = maybeSent && (before.kind as Outage) } = before;
  return {
    ...event,
    ...kind === "down" ? { was: kind } : {},
    lasted: Math.max(event.lasted ?? 0, Date.parse(event.since) - Date.parse(since)),
    ...knew === undefined ? {} : { knew },
    ...maybeSent ? { maybeSent } : {},
  };
}

/** Adds an end: as another one if its outage may have been sent, else merged into the last one, which it delays. */
export function withLaterEnd(ends: readonly NewsEvent[], over: NewsEvent): NewsEvent[] {
  const end = ends.at(-1);
  if (end === undefined || over.maybeSent) return [...ends, over];
  const { id, since, responseTime } = over;
  const { was, ...rest } = end;
  const missed = sumOf([end.missed, toMissed(over)]);
  return [...ends.slice(0, -1), {
    ...rest,
    id,
    since,
    ...was !== undefined && end.maybeSent ? { was } : {},
    ...responseTime === undefined ? {} : { responseTime },
    ...missed === undefined ? {} : { missed },
  }];
}

/** Returns the worst state of the unsent part of an outage, with the start of that part. */
export function partOf(outage: NewsEvent): UnsentPart {
  const start = outage.unsent ?? outage;
  const parts = [start, outage].map(({ kind, since, code, error, attempts }) => (
    { kind: kind as Outage, since, code, error, attempts }
  ));
  const worst = parts.find(({ kind }) => kind === "down") ?? parts[0]!;
  return { ...worst, since: start.since };
}

/** Sums up an outage that ended before it could be sent, with those before it. */
export function toMissed({ was: kind = "down", lasted = 0, missed }: NewsEvent): MissedOutages {
  return sumOf([missed, { kind, times: 1, lasted }])!;
}

export function sumOf(all: readonly (MissedOutages | undefined)[]): MissedOutages | undefined {
  const parts = all.filter((one) => one !== undefined);
  if (parts.length === 0) return undefined;
  return {
    kind: parts.some(({ kind }) => kind === "down") ? "down" : "degraded",
    times: parts.reduce((sum, { times }) => sum + times, 0),
    lasted: parts.reduce((sum, { lasted }) => sum + lasted, 0),
  };
}
