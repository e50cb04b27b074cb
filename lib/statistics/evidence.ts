import { DAY, dayOf } from "../time.ts";
import { checksByDay, checksWithout } from "./checks_by_day.ts";
import { firstFrom } from "./days_in.ts";
import { downPieces, openTimes } from "./down_pieces.ts";
import { checksInMaintenance } from "./in_maintenance.ts";
import { rollUp } from "./roll_up.ts";
import type { Checks, RolledDay, RolledDays, SiteHistory } from "../history/site_history.ts";
import type { Span } from "./span.ts";
import { timelineOf, type TimelineOptions } from "./timeline.ts";
import type { Window } from "../history/windows.ts";

/** What the statistics of a site are made of: single checks where they are kept, whole days before. */
export interface Evidence {
  /** When the site was first monitored, in milliseconds since 1970; absent while nothing is known. */
  first?: number;
  /** Milliseconds since 1970; nothing is known after it. */
  now: number;
  /** Checks, without those of days in {@linkcode Evidence.days} and those after now; those in maintenance windows say so. */
  checks: Checks;
  /** States over time as checks tell them, without those days; see {@linkcode timelineOf}. */
  spans: readonly Span[];
  /** Days whose totals count. */
  days: RolledDays;
  /** The totals of all other days that are over and that checks speak for, ascending. */
  fresh: readonly RolledDay[];
  /** Times in which the site was down, by the names of incidents. */
  outages: ReadonlyMap<string, readonly Window[]>;
  /** Times of incidents in which the site was degraded at most, by their names. */
  degradations: ReadonlyMap<string, readonly Window[]>;
  /** The windows of maintenance that have a file, ascending and without overlaps. */
  maintenance: readonly Window[];
}

/**
 * What counts of a history. The totals of a day count where its checks are gone, and where they were made
 * from more than is left: of the first day whose checks are kept, the night before is missing.
 */
export function evidenceOf(history: SiteHistory, options: TimelineOptions): Evidence {
  const { now } = options;
  const { maintenance } = history;
  const counts = checksByDay(history.checks, now);
  // Checks speak for no day before the first of them, and there are years of those.
  const spokenFrom = dayOf(history.checks.times[0] ?? Infinity);
  const days = history.days.filter(({ from, totals: { checks } }) => {
    const left = from < spokenFrom ? 0 : counts.get(from) ?? 0;
    const isWhole = left > checks ||
      (left === checks && isNightKnown(from, counts, history.days));
    return from <= now && !isWhole;
  });
  const rolled = new Set<number>();
  days.forEach(({ from }) => rolled.add(from), firstFrom(days, spokenFrom));
  const incidents = [...history.incidents];
  const of = (kind: "down" | "degraded", pieces: typeof downPieces) =>
    new Map(
      incidents.filter(([, incident]) => incident.kind === kind)
        .map(([id, incident]) => [id, pieces(incident)] as const),
    );
  const outages = of("down", downPieces);
  const seen = checksInMaintenance(history.checks, maintenance);
  const known = { checks: seen, outages: [...outages.values()].flat(), maintenance };
  const spans = timelineOf(known, options).flatMap((span) => outside(span, rolled));
  const checks = checksWithout(seen, counts, rolled);
  return {
    first: firstOf(history, days),
    now,
    checks,
    spans,
    days,
    fresh: rollUp({ checks, spans, now }),
    outages,
    degradations: of("degraded", openTimes),
    maintenance,
  };
}

/** Whether the checks are there that speak for the begin of a day: the last ones of the two days before it at most. */
function isNightKnown(
  day: number,
  counts: ReadonlyMap<number, number>,
  days: RolledDays,
): boolean {
  for (const before of [day - DAY, day - 2 * DAY]) {
    if (counts.has(before)) return true;
    const known = days.at(firstFrom(days, before));
    if (known?.from === before && known.totals.checks !== 0) return false;
  }
  return true;
}

/** A record that was written anew may be younger than what is known. */
function firstOf(
  { first, checks }: SiteHistory,
  days: RolledDays,
): number | undefined {
  const known = [first, checks.times[0]].filter((one) => one !== undefined);
  const earliest = known.length === 0 ? undefined : Math.min(...known);
  const day = days.at(0)?.from;
  if (day === undefined || (earliest !== undefined && dayOf(earliest) <= day)) return earliest;
  return day;
}

/** The parts of a span that lie in none of the days. */
function outside(span: Span, days: ReadonlySet<number>): Span[] {
  if (days.size === 0) return [span];
  const parts: Span[] = [];
  let { from } = span;
  while (from < span.to) {
    const to = Math.min(span.to, dayOf(from) + DAY);
    const last = parts.at(-1);
    if (days.has(dayOf(from))) from = to;
    else {
      if (last?.to === from) last.to = to;
      else parts.push({ ...span, from, to });
      from = to;
    }
  }
  return parts;
}
