import { appendRows, type CheckRow, checksPath } from "../../lib/history/checks_log.ts";
import {
  dailyPath,
  type Days,
  type DayTotals,
  formatDays,
  formatLocationDays,
  type LocationDays,
  locationDaysPath,
} from "../../lib/history/daily_log.ts";
import { Histogram } from "../../lib/history/histogram.ts";
import {
  formatIncident,
  type Incident,
  incidentPath,
  newIncidentId,
} from "../../lib/history/incident.ts";
import { recordPath } from "../../lib/config/record_path.ts";
import { formatRecord } from "../../lib/history/record.ts";
import { type Phase, PHASES } from "../../lib/history/yaml_file.ts";
import { utcDay } from "../../lib/time.ts";
import { GENERATOR } from "../../lib/version.ts";
import { outageSince } from "./outage.ts";
import { REPORT_TIME } from "./reports.ts";
import { type Random, seededRandom } from "./seeded_random.ts";

/** An event of a site on a page. */
export interface Trouble {
  /** How long before the moment of the report it began. */
  hoursAgo: number;
  /** Its length; absent while it is ongoing. */
  minutes?: number;
  kind?: Incident["kind"];
  error?: string;
  issue?: number;
  cause?: string;
  affects?: string[];
  /** Comments, some minutes after its start; the first word may be a phase. */
  updates?: readonly string[];
}

/** How a site was until the moment of the report. */
export interface PastSite {
  slug: string;
  url?: string;
  /** The number of days with checks; never checked if 0. */
  days?: number;
  /** How long ago it was checked for the last time. */
  silentHours?: number;
  /** The usual response time, in milliseconds. */
  takes?: number;
  /** Days of which single checks are kept, slower in the hours of work than at night; few if absent, which is quick. */
  keptDays?: number;
  troubles?: readonly Trouble[];
  /** True if the checks of the last hour are in maintenance. */
  inMaintenance?: boolean;
  /** How its locations saw it. */
  locations?: readonly PastLocation[];
}

/** How a location saw a site. */
export interface PastLocation extends Pick<PastSite, "takes" | "days" | "silentHours"> {
  name: string;
  /** Error since some hours before the moment of the report. */
  failing?: { hours: number; error: string; state?: "down" | "unknown" };
}

/** Days of which single checks are kept in these histories. */
const KEPT_DAYS = 8;
/** Days with all of their checks; fewer of many sites, which would take long. The others have two in an hour. */
const DENSE_DAYS = { few: 3, many: 1 };
const MINUTES_BETWEEN = { dense: 5, sparse: 30 };

/** The files that a history consists of, by path. */
export function pageHistory(sites: readonly PastSite[]): Map<string, string> {
  const files = new Map<string, string>();
  const rows: CheckRow[] = [];
  const days: Days = new Map();
  const locationDays: LocationDays = new Map();
  for (const [index, site] of sites.entries()) {
    const kept = site.keptDays ?? KEPT_DAYS;
    const dense = site.keptDays ?? DENSE_DAYS[sites.length > 50 ? "many" : "few"];
    if ((site.days ?? 40) === 0) continue;
    const random = seededRandom(index + 1);
    const incidents = incidentsOf(site);
    for (const [id, incident] of incidents) files.set(incidentPath(id), formatIncident(incident));
    rows.push(...rowsOf(site, { incidents: [...incidents.values()], kept, dense }, random));
    days.set(site.slug, daysOf(site, { incidents: [...incidents.values()], kept }, random));
    files.set(recordPath(site.slug), recordText(site, incidents));
    const ofLocations = (site.locations ?? []).map((one) => ({ ...site, ...one, troubles: [] }));
    rows.push(...ofLocations.flatMap((one) => locationRows(one, { kept, dense }, random)));
    if (ofLocations.length > 0) {
      const own = ofLocations.map((one) =>
        [one.name, daysOf(one, { incidents: [], kept }, random)] as const
      );
      locationDays.set(site.slug, new Map(own));
    }
  }
  rows.sort((one, other) => Temporal.Instant.compare(one.time, other.time));
  for (const [path, own] of Map.groupBy(rows, ({ time }) => checksPath(time))) {
    files.set(path, appendRows(undefined, own));
  }
  for (const path of new Set([...days.values()].flat().map(({ from }) => dailyPath(from)))) {
    const inYear = [...days].map(([slug, own]) =>
      [slug, own.filter(({ from }) => dailyPath(from) === path)] as const
    );
    files.set(path, formatDays(new Map(inYear)));
  }
  if (locationDays.size > 0) {
    const path = locationDaysPath(REPORT_TIME.epochMilliseconds);
    const first = Date.UTC(2026);
    const inYear = [...locationDays].map(([slug, all]) => {
      const own = [...all].map(([name, days]) =>
        [name, days.filter(({ from }) => from >= first)] as const
      );
      return [slug, new Map(own)] as const;
    });
    files.set(path, formatLocationDays(new Map(inYear)));
  }
  return files;
}

/** The checks of a location: like those of a site, with what it alone saw. */
function locationRows(
  site: PastSite & PastLocation,
  lengths: Pick<Kept, "kept" | "dense">,
  random: Random,
): CheckRow[] {
  const { name, days, failing } = site;
  if (days === 0) return [];
  const since = REPORT_TIME.subtract({ minutes: Math.round(60 * (failing?.hours ?? 0)) });
  return rowsOf(site, { incidents: [], ...lengths }, random).map(
    ({ phases: _, ...row }): CheckRow => {
      if (failing === undefined || Temporal.Instant.compare(row.time, since) < 0) {
        return { ...row, location: name };
      }
      const { error, state = "down" } = failing;
      const { time, run, slug } = row;
      return { time, run, slug, state, code: 0, attempts: 3, location: name, error };
    },
  );
}

/** Comments of people, as timelines keep them, ten minutes apart. */
export function updatesOf(begin: Temporal.Instant, texts: readonly string[]) {
  return texts.map((text, index) => {
    const phase = PHASES.find((one) => text.toLowerCase().startsWith(`${one}: `));
    return {
      at: begin.add({ minutes: 10 * (index + 1) }),
      ...phase === undefined ? {} : { phase: phase as Phase },
      text: phase === undefined ? text : text.slice(phase.length + 2),
    };
  });
}

function beginOf(day: Temporal.Instant): Temporal.Instant {
  return Temporal.Instant.from(`${utcDay(day)}T00:00:00Z`);
}

function endOf({ silentHours = 0 }: PastSite): Temporal.Instant {
  return REPORT_TIME.subtract({ minutes: Math.round(60 * silentHours) });
}

function incidentsOf(site: PastSite): Map<string, Incident> {
  const incidents = new Map<string, Incident>();
  for (const { hoursAgo, minutes, updates = [], ...others } of site.troubles ?? []) {
    const start = REPORT_TIME.subtract({ minutes: Math.round(60 * hoursAgo) });
    const id = newIncidentId(start, site.slug, new Set(incidents.keys()));
    const end = minutes === undefined ? undefined : start.add({ minutes });
    const changes = { slug: site.slug, confirmed: start.add({ seconds: 31 }), end, ...others };
    incidents.set(id, outageSince(start, { ...changes, updates: updatesOf(start, updates) }));
  }
  return incidents;
}

function stateAt(time: Temporal.Instant, incidents: readonly Incident[]): Incident | undefined {
  return incidents.find(({ start, end }) =>
    Temporal.Instant.compare(start, time) <= 0 &&
    (end === undefined || Temporal.Instant.compare(time, end) < 0)
  );
}

interface Kept {
  incidents: readonly Incident[];
  /** Days with checks, and of these the ones with all of them. */
  kept: number;
  dense?: number;
}

function rowsOf(
  site: PastSite,
  { incidents, kept, dense = kept }: Kept,
  random: Random,
): CheckRow[] {
  const { slug, days = 40, takes = 120, inMaintenance = false } = site;
  const end = endOf(site);
  // All of a day is either kept or rolled up.
  const whole = beginOf(REPORT_TIME.subtract({ hours: 24 * kept }));
  const most = (end.epochMilliseconds - whole.epochMilliseconds) / 60_000;
  const length = Math.min(days * 24 * 60, most);
  const backs: number[] = [];
  for (let minutes = 0; minutes <= length;) {
    backs.push(minutes);
    minutes += MINUTES_BETWEEN[minutes < dense * 24 * 60 ? "dense" : "sparse"];
  }
  return backs.toReversed().map((minutes): CheckRow => {
    const back = minutes / MINUTES_BETWEEN.dense;
    const time = end.subtract({ minutes });
    const base = { time, run: (time.epochMilliseconds / 1000 >>> 0).toString(16), slug };
    if (inMaintenance && back < 12) return { ...base, state: "maintenance", code: 0, attempts: 1 };
    const trouble = stateAt(time, incidents);
    if (trouble?.kind === "down") {
      return { ...base, state: "down", code: 0, attempts: 3, error: trouble.error };
    }
    const factor = (trouble === undefined ? 1 : 6) * (site.keptDays ? rushAt(time) : 1);
    const ms = Math.ceil(takes * factor * (0.8 + 0.5 * random() ** 4));
    const phases = back % 12 === 0 ? { phases: `4/18/35/${Math.max(1, ms - 60)}/3` } : {};
    const state = trouble === undefined ? "up" : "degraded";
    return { ...base, state, code: 200, ms, attempts: 1, ...phases };
  });
}

/** How much slower a site is at a time than in a calm night: most at ten o'clock of a day of work. */
function rushAt(time: Temporal.Instant): number {
  const { hour, dayOfWeek } = time.toZonedDateTimeISO("UTC");
  return 1 + (dayOfWeek > 5 ? 0.1 : 0.5) * Math.max(0, Math.sin((hour - 3) / 15 * Math.PI));
}

/** Days at the weekend are the fastest, and those in the middle of the week the slowest. */
const KINDS_BY_WEEKDAY = [1, 2, 2, 1, 1, 0, 0];

function daysOf(
  { days = 40, takes = 120 }: PastSite,
  { incidents, kept }: Kept,
  random: Random,
): DayTotals[] {
  const all: DayTotals[] = [];
  const kinds = [0.9, 1, 1.2].map((share) => responseTimesOf(share * takes, random));
  for (let back = days; back > Math.min(kept, KEPT_DAYS); back--) {
    const from = beginOf(REPORT_TIME.subtract({ hours: 24 * back }));
    const seconds = (kind: Incident["kind"]) =>
      incidents.filter((one) => one.kind === kind)
        .reduce((sum, one) => sum + secondsIn(one, from), 0);
    const [down, degraded] = [seconds("down"), seconds("degraded")];
    const begun = back < days ? 0 : REPORT_TIME.since(from).total("seconds") - 86_400 * days;
    const failed = Math.round(down / 300);
    all.push({
      from: from.epochMilliseconds,
      checks: 288,
      up: 288 - failed,
      degraded: 0,
      down: failed,
      maintenance: 0,
      unknown: 0,
      observedTime: 86_400 - begun,
      downTime: down,
      degradedTime: degraded,
      maintenanceTime: 0,
      responseTimes: kinds[KINDS_BY_WEEKDAY[from.toZonedDateTimeISO("UTC").dayOfWeek - 1]!]!,
    });
  }
  return all;
}

/** The response times of a day; few kinds of days are enough. */
function responseTimesOf(takes: number, random: Random): DayTotals["responseTimes"] {
  const histogram = new Histogram();
  const times = Array.from({ length: 288 }, () => Math.ceil(takes * (0.8 + 0.5 * random() ** 4)));
  for (const time of times) histogram.add(time);
  return {
    count: times.length,
    sum: times.reduce((sum, time) => sum + time, 0),
    min: Math.min(...times),
    max: Math.max(...times),
    histogram: histogram.format(),
  };
}

function secondsIn({ start, end = REPORT_TIME }: Incident, day: Temporal.Instant): number {
  const from = Math.max(start.epochMilliseconds, day.epochMilliseconds);
  const to = Math.min(end.epochMilliseconds, day.epochMilliseconds + 86_400_000);
  return Math.max(0, (to - from) / 1000);
}

function recordText(site: PastSite, incidents: ReadonlyMap<string, Incident>): string {
  const { url = "https://example.com/", days = 40, takes = 120 } = site;
  const open = [...incidents].find(([, { end }]) => end === undefined);
  const isDown = open?.[1].kind === "down";
  const first = REPORT_TIME.subtract({ hours: 24 * days });
  const ends = [...incidents.values()].flatMap(({ end }) => end ?? []);
  const lastEnd = ends.sort(Temporal.Instant.compare).at(-1);
  return formatRecord({
    url,
    status: isDown ? "down" : "up",
    code: isDown ? 0 : 200,
    responseTime: isDown ? 0 : takes,
    lastUpdated: endOf(site),
    startTime: first,
    generator: GENERATOR,
    degraded: open?.[1].kind === "degraded",
    since: open?.[1].start ?? lastEnd ?? first,
    incident: open?.[0],
  });
}
