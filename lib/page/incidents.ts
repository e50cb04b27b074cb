import { slugsOf, type StoredIncident } from "../history/stored_incidents.ts";
import { endOf, isCalledOff, stageOf } from "../history/stage_of.ts";
import { openTimes, secondsOpen } from "../statistics/down_pieces.ts";
import { overlap, type Window } from "../history/windows.ts";
import type { PlannedWindow } from "../history/maintenance.ts";
import { isBefore } from "../time.ts";

/** An incident with its id. */
export type ListedIncident = readonly [id: string, incident: StoredIncident];

/** A day and what happened in it. */
export interface IncidentDay {
  /** `YYYY-MM-DD` on the clocks of a zone. */
  date: string;
  window: Window;
  begun: readonly ListedIncident[];
  continued: readonly ListedIncident[];
}

/**
 * The last days with the incidents of each, the newest day first and today one of them; maintenance has
 * lists of its own. A day of a zone may have 23 or 25 hours.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { parseIncident } from "../history/incident.ts";
 * const times = "start: 2026-11-20T23:30:00.000Z\nconfirmed: 2026-11-20T23:31:00.000Z\nend: 2026-11-21T00:10:00.000Z\n";
 * const incidents = new Map([["a", parseIncident(`slug: shop\nkind: down\n${times}`)!]]);
 * const now = Temporal.Instant.from("2026-11-21T10:00:00Z");
 * const told = (zone: string) => pastDays(incidents, now, zone, 2).map(({ begun, continued }) => [begun.length, continued.length]);
 * assertEquals([told("UTC"), told("Europe/Berlin")], [[[0, 1], [1, 0]], [[1, 0], [0, 0]]]);
 * ```
 */
export function pastDays(
  incidents: ReadonlyMap<string, StoredIncident>,
  time: Temporal.Instant,
  zone: string,
  days: number,
): IncidentDay[] {
  const today = time.toZonedDateTimeISO(zone).startOfDay();
  const begins = Array.from({ length: days + 1 }, (_, ago) => today.subtract({ days: ago - 1 }));
  const first = begins.at(-1)!.epochMilliseconds;
  const recent = newestFirst(
    [...incidents].filter(([, one]) => isIncident(one) && lastOf(one) >= first),
  );
  const told = recent.map((one) => ({ one, times: timesOf(one[1]) }));
  return begins.slice(1).map((begin, index): IncidentDay => {
    const day = { from: begin.epochMilliseconds, to: begins[index]!.epochMilliseconds };
    const isBegun = ({ times: [{ from }] }: typeof told[number]) =>
      from >= day.from && from < day.to;
    const met = told.filter((one) =>
      isBegun(one) || one.times.some((piece) => overlap(piece, day) > 0)
    );
    const of = (isOf: boolean) =>
      causesFirst(met.filter((one) => isBegun(one) === isOf).map(({ one }) => one));
    return {
      date: begin.toPlainDate().toString(),
      window: day,
      begun: of(true),
      continued: of(false),
    };
  });
}

function isIncident(incident: StoredIncident): boolean {
  return incident.kind !== "maintenance" && !isCalledOff(incident);
}

/** In the order in which they began, the last one first. Moments take long to compare, and few begin in the same millisecond. */
export function newestFirst(incidents: readonly ListedIncident[]): ListedIncident[] {
  return incidents.toSorted(([oneId, one], [otherId, other]) =>
    other.start.epochMilliseconds - one.start.epochMilliseconds ||
    Temporal.Instant.compare(other.start, one.start) || (oneId < otherId ? 1 : -1)
  );
}

/**
 * Puts the cause of an incident above it: it takes the place of the first of its effects.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { parseIncident } from "../history/incident.ts";
 * const times = "start: 2026-11-20T23:30:00.000Z\nconfirmed: 2026-11-20T23:31:00.000Z\n";
 * const [shop, router] = ["slug: shop\ncause: b\n", "slug: router\n"].map((head) => parseIncident(`${head}kind: down\n${times}`)!);
 * assertEquals(causesFirst([["a", shop!], ["b", router!]]).map(([id]) => id), ["b", "a"]);
 * ```
 */
export function causesFirst(incidents: readonly ListedIncident[]): ListedIncident[] {
  const waiting = new Map(incidents.map((one) => [one[0], one]));
  const sorted: ListedIncident[] = [];
  const put = (one: ListedIncident | undefined) => {
    if (one === undefined || !waiting.delete(one[0])) return;
    if ("cause" in one[1]) put(waiting.get(one[1].cause ?? ""));
    sorted.push(one);
  };
  for (const one of incidents) put(one);
  return sorted;
}

/** Milliseconds since 1970; without an end where it goes on. */
function lastOf({ end }: StoredIncident): number {
  return end?.epochMilliseconds ?? Infinity;
}

function timesOf(incident: StoredIncident): [first: Window, ...more: Window[]] {
  const whole = { from: incident.start.epochMilliseconds, to: lastOf(incident) };
  if (incident.kind !== "down" && incident.kind !== "degraded") return [whole];
  const [first = whole, ...more] = openTimes(incident);
  return [first, ...more];
}

/** A month and the incidents that began in it. */
export interface IncidentMonth {
  /** `YYYY-MM` on the clocks of a zone. */
  month: string;
  count: number;
  /** Days that have any, by their dates (`YYYY-MM-DD`), the newest first, like the incidents of each. */
  days: ReadonlyMap<string, readonly ListedIncident[]>;
}

type Incidents = ReadonlyMap<string, StoredIncident>;
/** The day (`YYYY-MM-DD`) of a moment on the clocks of a zone. */
type DateOf = (time: Temporal.Instant) => string;

/** The months that have incidents, the newest first; without maintenance. */
export function incidentMonths(incidents: Incidents, dateOf: DateOf): IncidentMonth[] {
  return monthsOf([...incidents].filter(([, one]) => isIncident(one)), dateOf);
}

/** Maintenance that is over, the newest first; without what was called off before it began. */
export function pastMaintenance(incidents: Incidents, now: Temporal.Instant): ListedIncident[] {
  return newestFirst(
    [...incidents].filter(([, one]) =>
      one.kind === "maintenance" && stageOf(one, now) === "over" && !isCalledOff(one)
    ),
  );
}

/** Incidents by the month in which they began, the newest first. */
export function monthsOf(incidents: readonly ListedIncident[], dateOf: DateOf): IncidentMonth[] {
  const dated = newestFirst(incidents).map((one) => ({ one, date: dateOf(one[1].start) }));
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

export function openIncidents(
  incidents: ReadonlyMap<string, StoredIncident>,
  now: Temporal.Instant,
): ListedIncident[] {
  const open = [...incidents].filter(([, one]) =>
    isIncident(one) && pageStage(one, now) === "open"
  );
  return causesFirst(
    newestFirst(open).toSorted(([, one], [, other]) => RANKS[one.kind] - RANKS[other.kind]),
  );
}

const RANKS: Readonly<Record<StoredIncident["kind"], number>> = {
  down: 0,
  manual: 1,
  degraded: 2,
  maintenance: 3,
};

/**
 * The stage of an incident on a page whose now is that of the last check: what people tell of goes on also
 * where they did so after that.
 */
export function pageStage(
  incident: StoredIncident,
  now: Temporal.Instant,
): ReturnType<typeof stageOf> {
  const stage = stageOf(incident, now);
  return stage === "ahead" && incident.kind !== "maintenance" ? "open" : stage;
}

export function incidentsBySite(
  incidents: ReadonlyMap<string, StoredIncident>,
): Map<string, ListedIncident[]> {
  const bySite = new Map<string, ListedIncident[]>();
  for (const one of incidents) {
    for (const slug of new Set(slugsOf(one[1]))) {
      const own = bySite.get(slug);
      if (own === undefined) bySite.set(slug, [one]);
      else own.push(one);
    }
  }
  return bySite;
}

/**
 * Seconds that an incident has lasted, or of maintenance that is still to come will; without the times in
 * which its site was up before it went on.
 */
export function lengthOf(incident: StoredIncident, now: Temporal.Instant): number {
  const isAhead = incident.kind === "maintenance" && stageOf(incident, now) === "ahead";
  const to = incident.end ?? (isAhead ? endOf(incident)! : now);
  if (incident.kind === "down" || incident.kind === "degraded") {
    return secondsOpen(incident, { from: -Infinity, to: to.epochMilliseconds });
  }
  return Math.max(0, to.since(incident.start).total("seconds"));
}

/** A maintenance window, with the id of its file where it has one. */
export interface ListedWindow {
  window: PlannedWindow;
  id?: string;
}

/** Maintenance that is ahead, once or again and again. */
export interface Series {
  /** The next windows of it. */
  next: readonly ListedWindow[];
  more: number;
  last: PlannedWindow;
}

const TOLD = 3;

/** Maintenance that goes on at a moment, and what is ahead, both in the order of their begins. */
export function plannedMaintenance(
  windows: readonly PlannedWindow[],
  incidents: ReadonlyMap<string, StoredIncident>,
  now: Temporal.Instant,
): { going: ListedWindow[]; ahead: Series[] } {
  const listed = listedWindows(windows, incidents);
  const ahead = listed.filter(({ window }) => isBefore(now, window.start));
  const series = Map.groupBy(ahead, ({ window }) => seriesOf(window));
  return {
    going: listed.filter(({ window }) => !isBefore(now, window.start)),
    ahead: [...series.values()].map((all) => ({
      next: all.slice(0, TOLD),
      more: Math.max(0, all.length - TOLD),
      last: all.at(-1)!.window,
    })),
  };
}

/** Windows with the ids of their files. */
export function listedWindows(
  windows: readonly PlannedWindow[],
  incidents: Iterable<readonly [id: string, incident: StoredIncident]>,
): ListedWindow[] {
  const ids = new Map(
    [...incidents].flatMap(([id, one]) =>
      one.kind === "maintenance" && one.end === undefined ? [[keyOf(one), id]] : []
    ),
  );
  return windows.map((window) => ({ window, id: ids.get(keyOf(window)) }));
}

function keyOf({ source, name, start }: PlannedWindow): string {
  return JSON.stringify([source, name, start]);
}

function seriesOf({ source, name, sites, issue, start }: PlannedWindow): string {
  return JSON.stringify([source, name, [...sites], issue, source === "configuration" ? "" : start]);
}
