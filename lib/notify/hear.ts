import type { NewsEvent, Outage, SiteNews } from "./message.ts";

/** An outage that a channel knows of, because it was told or because that waits to be told. */
export interface Told {
  slug: string;
  kind: Outage;
  /** What was sent of it before that which still waits; absent where nothing waits, or nothing was sent. */
  sent?: Outage;
  /** Name of the incident. */
  incident: string;
  /** When it was told, or last told again. */
  at: Temporal.Instant;
  /** How often it was told again; absent where it was not. */
  reminders?: number;
}

/** What a channel is about to be told, and what it will know then. */
export interface Heard {
  /** In the order in which it happened. */
  held: readonly NewsEvent[];
  told: readonly Told[];
}

/**
 * What one more event is to a channel that wants to hear of some kinds. Down and up take turns for each
 * site:
 *
 * | it knows                  | what happens        | what it is told                                     |
 * | ------------------------- | ------------------- | --------------------------------------------------- |
 * | of nothing                | down, degraded      | that                                                |
 * | of nothing                | up                  | nothing, unless up is all that it wants to hear     |
 * | that the site is degraded | down                | that                                                |
 * | that the site is down     | degraded            | that                                                |
 * | that the site is down     | down again          | nothing, unless of another incident                 |
 * | of either                 | up                  | that, and from then on it knows of nothing          |
 * | of it by what waits       | up                  | both at once: how the site was, and for how long    |
 *
 * What it does not want to hear changes nothing of what it knows, but an end does: one that hears of `down`
 * alone is told of the next one too. How the site was that is up again before that could be told is told
 * also where ends are not wanted, for it is the only news of the outage there will be.
 */
export function hear(
  { held, told }: Heard,
  event: NewsEvent,
  { wanted, now }: { wanted: readonly SiteNews[]; now: Temporal.Instant },
): Heard {
  const { kind, slug, incident } = event;
  if (kind === "notice") {
    const unsent = held.filter((one) => one.kind === "notice" && one.incident === incident);
    // Of a problem that is over before anybody was notified of it nobody is notified.
    if (!event.over || unsent.length === 0) return { held: [...held, event], told };
    return { held: held.filter((one) => !unsent.includes(one)), told };
  }
  const known = told.find((one) => one.slug === slug);
  const others = told.filter((one) => one !== known);
  const untold = untoldOutage(held, slug);
  const same = known?.incident === incident ? known : undefined;
  const sent = untold.length === 0 ? same?.kind : same?.sent;
  if (kind === "up") {
    const rest = held.filter((one) => !untold.includes(one));
    if (untold.length > 0 && sent !== "down") {
      return { held: [...rest, wholeOutage(untold, event)], told: others };
    }
    const isTold = wanted.includes("up") &&
      (known !== undefined || wanted.every((one) => one === "up"));
    return { held: isTold ? [...rest, event] : rest, told: others };
  }
  if (!wanted.includes(kind)) return { held, told };
  if (same?.kind === kind) return { held, told };
  const news = { slug, kind, incident, at: now, ...sent === undefined ? {} : { sent } };
  return { held: [...held, event], told: [...others, news] };
}

/** What waits to be told of the outage that a site is in. */
function untoldOutage(held: readonly NewsEvent[], slug: string): NewsEvent[] {
  const own = held.filter((one) => one.slug === slug);
  return own.slice(own.findLastIndex(({ kind }) => kind === "up") + 1);
}

/** The end of an outage together with what had not been told of it. */
function wholeOutage(untold: readonly NewsEvent[], end: NewsEvent): NewsEvent {
  const [first] = untold;
  const { kind, code, error, attempts } = untold.find(({ kind }) => kind === "down") ?? first!;
  const affected = [...new Set(untold.flatMap(({ affected = [] }) => affected))];
  const { responseTime: _, ...rest } = end;
  const lasted = Date.parse(end.since) - Date.parse(first!.since);
  return {
    ...rest,
    ...kind === "down" || kind === "degraded" ? { was: kind } : {},
    lasted: Math.max(0, lasted),
    code,
    error,
    attempts,
    ...affected.length === 0 ? {} : { affected },
  };
}
