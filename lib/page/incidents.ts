import { newMaintenanceId, type PlannedWindow } from "../history/maintenance.ts";
import {
  computeStage,
  findEnd,
  isCalledOff,
  isOfSite,
  listSlugs,
  type StoredIncident,
} from "../history/stored_incidents.ts";
import { overlap, type Window } from "../history/windows.ts";
import { openIntervals, secondsOpen } from "../statistics/outages.ts";
import { displayState, type Report } from "../statistics/report/report.ts";
import { earliest, isBefore, latest } from "../time.ts";

export type ListedIncident = readonly [id: string, incident: StoredIncident];

type Incidents = ReadonlyMap<string, StoredIncident>;

/** True for incidents and notices that are not called off; maintenance is listed separately. */
export function isIncident(incident: StoredIncident): boolean {
  return incident.kind !== "maintenance" && !isCalledOff(incident);
}

/** Sorts incidents by their start, the newest first; milliseconds first, because instants are slow to compare. */
export function sortNewestFirst(incidents: readonly ListedIncident[]): ListedIncident[] {
  return incidents.toSorted(([oneId, one], [otherId, other]) =>
    other.start.epochMilliseconds - one.start.epochMilliseconds ||
    Temporal.Instant.compare(other.start, one.start) || (oneId < otherId ? 1 : -1)
  );
}

const grouped = new WeakMap<Incidents, ReadonlyMap<string, readonly ListedIncident[]>>();

/** Groups incidents by the sites that they name, once for all pages. */
export function groupBySite(
  incidents: Incidents,
): ReadonlyMap<string, readonly ListedIncident[]> {
  return grouped.getOrInsertComputed(incidents, () => {
    const bySite = new Map<string, ListedIncident[]>();
    for (const one of incidents) {
      for (const slug of new Set(listSlugs(one[1]))) bySite.getOrInsert(slug, []).push(one);
    }
    return bySite;
  });
}

/**
 * Returns when the maintenance started in which the site of an open incident is: until it ends, the site counts as under
 * maintenance, and not as down or degraded. `undefined` for other incidents.
 */
export function findPause(
  incident: StoredIncident,
  { sites, maintenance, time }: Pick<Report, "sites" | "maintenance" | "time">,
): Temporal.Instant | undefined {
  if (!isOfSite(incident) || incident.end !== undefined) return undefined;
  const { slug, start } = incident;
  const own = sites.find(({ site }) => site.slug === slug);
  if (own === undefined || displayState(own) !== "maintenance") return undefined;
  const starts = maintenance.filter((one) => one.sites.has(slug)).map((one) => one.start);
  return latest(start, earliest(time, ...starts));
}

/** The end of an incident that lists show: that of its file, or the start of a maintenance of its site. */
export function findShownEnd(
  incident: StoredIncident,
  report: Parameters<typeof findPause>[1],
): Temporal.Instant | undefined {
  return findEnd(incident) ?? findPause(incident, report);
}

/** Order of open incidents by kind. */
const RANKS = { down: 0, manual: 1, degraded: 2, maintenance: 3 };

/**
 * Lists open incidents, without those of sites in maintenance: outages, then notices, then degradations; of each first
 * those that people wrote about, the newest first.
 */
export function listOpenIncidents(
  incidents: Incidents,
  report: Parameters<typeof findPause>[1],
): ListedIncident[] {
  const open = [...incidents].filter(([, one]) =>
    isIncident(one) && computeStage(one, report.time) === "open" &&
    findPause(one, report) === undefined
  );
  return sortNewestFirst(open).toSorted(([, one], [, other]) =>
    RANKS[one.kind] - RANKS[other.kind] ||
    Math.min(1, other.updates.length) - Math.min(1, one.updates.length)
  );
}

/** Computes the seconds that an incident has lasted or maintenance will last, without interruptions. */
export function computeLength(incident: StoredIncident, now: Temporal.Instant): number {
  const isAhead = computeStage(incident, now) === "ahead";
  const to = incident.end ?? (isAhead ? findEnd(incident)! : now);
  if (isOfSite(incident)) {
    return secondsOpen(incident, { from: -Infinity, to: to.epochMilliseconds });
  }
  return Math.max(0, to.since(incident.start).total("seconds"));
}

/** A day of a time zone, with the incidents that started on it or before, the newest first. */
export interface IncidentDay {
  /** `YYYY-MM-DD` */
  date: string;
  window: Window;
  started: readonly ListedIncident[];
  continued: readonly ListedIncident[];
}

/** Lists the last days with their incidents, today first; without maintenance. */
export function listPastDays(
  incidents: Incidents,
  time: Temporal.Instant,
  zone: string,
  days: number,
): IncidentDay[] {
  const today = time.toZonedDateTimeISO(zone).startOfDay();
  const starts = Array.from({ length: days + 1 }, (_, ago) => today.subtract({ days: ago - 1 }));
  const first = starts.at(-1)!.epochMilliseconds;
  const recent = sortNewestFirst(
    [...incidents].filter(([, one]) => isIncident(one) && toEnd(one) >= first),
  ).map((one) => ({ one, times: toWindows(one[1]) }));
  return starts.slice(1).map((start, index): IncidentDay => {
    const day = { from: start.epochMilliseconds, to: starts[index]!.epochMilliseconds };
    const hasStarted = ({ times: [{ from }] }: typeof recent[number]) =>
      from >= day.from && from < day.to;
    const select = (isSelected: (one: typeof recent[number]) => boolean) =>
      recent.filter(isSelected).map(({ one }) => one);
    return {
      date: start.toPlainDate().toString(),
      window: day,
      started: select(hasStarted),
      continued: select((one) =>
        !hasStarted(one) && one.times.some((piece) => overlap(piece, day) > 0)
      ),
    };
  });
}

function toEnd({ end }: StoredIncident): number {
  return end?.epochMilliseconds ?? Infinity;
}

/** The times of an incident in milliseconds, without interruptions. */
export function toWindows(incident: StoredIncident): [first: Window, ...more: Window[]] {
  const whole = { from: incident.start.epochMilliseconds, to: toEnd(incident) };
  if (incident.kind !== "down" && incident.kind !== "degraded") return [whole];
  const [first = whole, ...more] = openIntervals(incident);
  return [first, ...more];
}

/** A month, `YYYY-MM`, with the incidents that started in it by date, the newest first. */
export interface IncidentMonth {
  month: string;
  count: number;
  days: ReadonlyMap<string, readonly ListedIncident[]>;
}

/** Returns the date of a moment in the page's time zone, `YYYY-MM-DD`. */
export type DateOf = (time: Temporal.Instant) => string;

export function listIncidentMonths(incidents: Incidents, dateOf: DateOf): IncidentMonth[] {
  return groupByMonth([...incidents].filter(([, one]) => isIncident(one)), dateOf);
}

export function groupByMonth(
  incidents: readonly ListedIncident[],
  dateOf: DateOf,
): IncidentMonth[] {
  const dated = sortNewestFirst(incidents).map((one) => ({ one, date: dateOf(one[1].start) }));
  const months = Map.groupBy(dated, ({ date }) => date.slice(0, "YYYY-MM".length));
  return [...months].map(([month, own]) => {
    const days = Map.groupBy(own, ({ date }) => date);
    return {
      month,
      count: own.length,
      days: new Map([...days].map(([date, of]) => [date, of.map(({ one }) => one)])),
    };
  });
}

/** Lists maintenance that is over, without windows that were called off. */
export function listPastMaintenance(incidents: Incidents, now: Temporal.Instant): ListedIncident[] {
  return sortNewestFirst(
    [...incidents].filter(([, one]) =>
      one.kind === "maintenance" && computeStage(one, now) === "over" && !isCalledOff(one)
    ),
  );
}

/** A maintenance window, with the id of its file if it has one. */
export interface ListedWindow {
  window: PlannedWindow;
  id?: string;
  /** Its id in calendars: that of its file, or the one that its file will have. */
  uid: string;
}

/** Planned windows of one series: the next ones, the number of later ones, and the last one known. */
export interface Series {
  next: readonly ListedWindow[];
  more: number;
  last: PlannedWindow;
}

/** Windows of a series that are listed. */
const NEXT = 3;

export function splitMaintenance(
  windows: readonly PlannedWindow[],
  incidents: Incidents,
  now: Temporal.Instant,
): { going: ListedWindow[]; ahead: Series[] } {
  const listed = findWindowFiles(windows, incidents);
  const isAhead = ({ window }: ListedWindow) => isBefore(now, window.start);
  const series = Map.groupBy(listed.filter(isAhead), ({ window }) => {
    const { source, name, sites, issue, start } = window;
    return JSON.stringify([
      ...[source, name, [...sites], issue, source === "configuration" ? "" : start],
    ]);
  });
  return {
    going: listed.filter((one) => !isAhead(one)),
    ahead: [...series.values()].map((all) => ({
      next: all.slice(0, NEXT),
      more: Math.max(0, all.length - NEXT),
      last: all.at(-1)!.window,
    })),
  };
}

/** Finds the files of windows, given by their start; each window has its own `uid`. */
export function findWindowFiles(
  windows: readonly PlannedWindow[],
  incidents: ReadonlyMap<string, StoredIncident>,
): ListedWindow[] {
  const toKey = ({ source, name, start }: PlannedWindow) => JSON.stringify([source, name, start]);
  const ids = new Map(
    [...incidents].flatMap(([id, one]) =>
      one.kind === "maintenance" && one.end === undefined ? [[toKey(one), id]] : []
    ),
  );
  const taken = new Set(incidents.keys());
  return windows.map((window) => {
    const id = ids.get(toKey(window));
    const uid = id ?? newMaintenanceId(window, taken);
    taken.add(uid);
    return { window, id, uid };
  });
}
