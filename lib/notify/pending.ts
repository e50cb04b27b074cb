import {
  isOfSite,
  type MissedOutages,
  type NewsEvent,
  type Outage,
  type UnsentPart,
} from "./message.ts";

/** What waits of a site. */
export interface Pending {
  /** The end of an outage that the channel was told of. */
  end?: NewsEvent;
  /** Outages that nobody was told of and that are over. */
  whole?: NewsEvent;
  /** The latest state of the outage that is ongoing. */
  outage?: NewsEvent;
}

/** Finds what waits of a site. */
export function pendingOf(held: readonly NewsEvent[], slug: string): Pending {
  const own = held.filter((one) => isAbout(one, slug) && one.reminder === undefined);
  return {
    end: own.findLast((event) => event.kind === "up" && !isWhole(event)),
    whole: own.findLast(isWhole),
    outage: own.at(-1)?.kind === "up" ? undefined : own.at(-1),
  };
}

/** True if nothing was sent of an outage before its end. */
function isWhole({ was, knew }: NewsEvent): boolean {
  return was !== undefined && knew === undefined;
}

/** What is held, with these events of a site in place of those of it. */
export function withPending(
  held: readonly NewsEvent[],
  slug: string,
  pending: readonly (NewsEvent | undefined)[],
): NewsEvent[] {
  const own = pending.filter((event) => event !== undefined);
  return [...held.filter((one) => !isAbout(one, slug)), ...own];
}

/** True if an event is about a site, and not about the monitor itself. */
export function isAbout(event: NewsEvent, slug: string): boolean {
  return event.slug === slug && isOfSite(event);
}

/** The end of an outage together with what had not been told of it. */
export function wholeOutage(outage: NewsEvent, end: NewsEvent): NewsEvent {
  const { since, kind, code, error, attempts } = partOf(outage);
  const { missed } = outage;
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
    ...outage.knew === undefined ? {} : { knew: outage.knew },
    ...missed === undefined ? {} : { missed },
    ...affected.length === 0 ? {} : { affected },
  };
}

/** The end of an outage that was told, put off by others that were over before it could be sent. */
export function laterEnd(end: NewsEvent, whole: NewsEvent): NewsEvent {
  const { id, since, responseTime } = whole;
  const { was: _, ...rest } = end;
  const missed = sumOf([end.missed, outageOf(whole)]);
  return {
    ...rest,
    id,
    since,
    ...responseTime === undefined ? {} : { responseTime },
    ...missed === undefined ? {} : { missed },
  };
}

/** The worst state of what was not sent of an outage, and the start of all of that. */
export function partOf(outage: NewsEvent): UnsentPart {
  const start = outage.unsent ?? outage;
  const parts = [start, outage].map(({ kind, since, code, error, attempts }) => (
    { kind: kind as Outage, since, code, error, attempts }
  ));
  const worst = parts.find(({ kind }) => kind === "down") ?? parts[0]!;
  return { ...worst, since: start.since };
}

/** An outage that was over before it could be sent, with those before it. */
export function outageOf({ was: kind = "down", lasted = 0, missed }: NewsEvent): MissedOutages {
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
