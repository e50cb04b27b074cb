import { DAY, floorToDay } from "../time.ts";
import type { DayTotals } from "../history/daily_log.ts";
import { type Check, findCheck, findDay, type SiteHistory } from "../history/site_history.ts";
import type { Window } from "../history/windows.ts";
import { downIntervals, openIntervals } from "./outages.ts";
import {
  checksWithMaintenance,
  computeTimeline,
  type Interval,
  type TimelineOptions,
} from "./timeline.ts";

/** The data that the statistics of a site are computed from: checks of the last days, totals of the days before. */
export interface Samples {
  /** When the site was first monitored, in milliseconds since 1970; absent while nothing is known. */
  first?: number;
  /** Milliseconds since 1970; nothing is known after it. */
  now: number;
  /** Checks up to now, without those of {@linkcode Samples.days}; those in maintenance windows are marked. */
  checks: readonly Check[];
  /** States over time by the checks: see {@linkcode computeTimeline}. */
  intervals: readonly Interval[];
  /** Days whose totals count, ascending. */
  days: readonly DayTotals[];
  /** Times in which the site was down, ascending: an incident that was reopened has several. */
  outages: readonly Window[];
  /** Times in which incidents were open, by incident. */
  opened: ReadonlyMap<string, readonly Window[]>;
  /** The same of those in which the site was never worse than degraded. */
  degradations: ReadonlyMap<string, readonly Window[]>;
  /** Times of outages and degradations, ascending. */
  incidents: readonly Interval[];
  /** Maintenance windows that have a file, ascending and without overlaps. */
  maintenance: readonly Window[];
}

/**
 * Selects the relevant data of a history. The totals of a day count if its checks are gone, and if they were made
 * from more than is left: the first day whose checks are read lacks the night before.
 */
export function selectSamples(history: SiteHistory, options: TimelineOptions): Samples {
  const { now } = options;
  const { maintenance } = history;
  const all = history.checks.slice(0, findCheck(history.checks, now + 1));
  const days = selectTotals(history.days, all, now);
  const rolled = new Set(
    days.slice(findDay(days, floorToDay(all[0]?.time ?? Infinity))).map(({ from }) => from),
  );
  const incidents = [...history.incidents];
  const opened = new Map(incidents.map(([id, incident]) => [id, openIntervals(incident)]));
  const degradations = new Map(
    [...opened].filter(([id]) => history.incidents.get(id)!.kind !== "down"),
  );
  const down = incidents.flatMap(([, incident]) => downIntervals(incident))
    .map((one): Interval => ({ ...one, state: "down" }));
  const degraded = [...degradations.values()].flat()
    .map((one): Interval => ({ ...one, state: "degraded" }));
  const byStart = (one: Window, other: Window) => one.from - other.from;
  const checks = checksWithMaintenance(all, maintenance);
  const timeline = computeTimeline(checks, down.toSorted(byStart), maintenance, options);
  return {
    first: findFirst(history, days),
    now,
    checks: rolled.size === 0 ? checks : checks.filter(({ time }) => !rolled.has(floorToDay(time))),
    intervals: timeline.flatMap((interval) => without(interval, rolled)),
    days,
    outages: mergeOverlapping(down.toSorted(byStart)),
    opened,
    degradations,
    incidents: [...down, ...degraded].sort(byStart),
    maintenance,
  };
}

/** Merges ascending times that overlap: two incidents may describe one outage. */
function mergeOverlapping(times: readonly Window[]): Window[] {
  const merged: Window[] = [];
  for (const { from, to } of times) {
    const last = merged.at(-1);
    if (last !== undefined && from < last.to) last.to = Math.max(last.to, to);
    else merged.push({ from, to });
  }
  return merged;
}

/** Selects what one location saw of a site, as if it were a site without incidents; nothing if it saw nothing. */
export function selectLocationSamples(
  { slug, maintenance, locations }: SiteHistory,
  location: string,
  options: TimelineOptions,
): Samples {
  const { checks = [], days = [] } = locations?.get(location) ?? {};
  return selectSamples({ slug, checks, days, incidents: new Map(), maintenance }, options);
}

function selectTotals(
  days: readonly DayTotals[],
  checks: readonly Check[],
  now: number,
): DayTotals[] {
  const counts = new Map<number, number>();
  for (let index = 0; index < checks.length;) {
    const day = floorToDay(checks[index]!.time);
    const end = findCheck(checks, day + DAY);
    counts.set(day, end - index);
    index = end;
  }
  const [firstRead] = counts.keys();
  return days.filter((day) => {
    const left = counts.get(day.from) ?? 0;
    const lacksNight = day.from === firstRead && day !== days[0];
    const isComplete = left > day.checks || (left === day.checks && !lacksNight);
    return day.from <= now && !isComplete;
  });
}

/** A record that was created anew may be younger than the data. */
function findFirst(
  { first = Infinity, checks }: SiteHistory,
  days: readonly DayTotals[],
): number | undefined {
  const earliest = Math.min(first, checks[0]?.time ?? Infinity);
  const day = days[0]?.from ?? Infinity;
  const known = floorToDay(earliest) <= day ? earliest : day;
  return known === Infinity ? undefined : known;
}

/** The parts of an interval that lie in none of the days. */
function without(interval: Interval, days: ReadonlySet<number>): Interval[] {
  if (days.size === 0) return [interval];
  const parts: Interval[] = [];
  for (let from = interval.from; from < interval.to;) {
    const to = Math.min(interval.to, floorToDay(from) + DAY);
    const last = parts.at(-1);
    if (!days.has(floorToDay(from))) {
      if (last?.to === from) last.to = to;
      else parts.push({ ...interval, from, to });
    }
    from = to;
  }
  return parts;
}
