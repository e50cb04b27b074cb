import type { Incident } from "../../lib/history/incident.ts";
import type { Maintenance, PlannedWindow } from "../../lib/history/maintenance.ts";
import type { ManualIncident } from "../../lib/history/manual_incident.ts";
import type { StoredIncident } from "../../lib/history/stored_incidents.ts";
import { type Phase, PHASES, type Update } from "../../lib/history/yaml_file.ts";
import { utcDay } from "../../lib/time.ts";
import { outageSince } from "./outage.ts";
import { type Random, seededRandom } from "./seeded_random.ts";

/** A history that grows: what the page knows at a time. */
export interface FeedYear {
  time: Temporal.Instant;
  incidents: Map<string, StoredIncident>;
  maintenance: PlannedWindow[];
}

const SLUGS = ["shop", "cards", "search"];

/** Yields the history of a year at random times: some changes lie between two of them, some are read late, some are edits. */
export function* liveYear(seed: number, start: Temporal.Instant): Generator<FeedYear> {
  const random = seededRandom(seed);
  const year = { time: start, incidents: new Map<string, StoredIncident>(), maintenance: [] };
  const end = start.add({ hours: 24 * 365 });
  while (Temporal.Instant.compare(year.time, end) < 0) {
    year.time = year.time.add({ minutes: 1 + Math.floor(random() ** 3 * 60 * 24 * 12) });
    for (let changes = Math.floor(random() * 4); changes > 0; changes--) change(year, random);
    settle(year);
    yield year;
  }
}

function pick<T>(all: readonly T[], random: Random): T {
  return all[Math.floor(random() * all.length)]!;
}

/** One thing that happens, or that people do. */
function change(year: FeedYear, random: Random): void {
  pick([
    fail,
    fail,
    recover,
    recover,
    recover,
    comment,
    comment,
    comment,
    edit,
    erase,
    report,
    plan,
    move,
    cancel,
  ], random)(
    year,
    random,
  );
}

function newId(year: FeedYear, start: Temporal.Instant, name: string): string {
  return `${utcDay(start)}-${name}-${year.incidents.size}`;
}

function ago(year: FeedYear, random: Random, most: number): Temporal.Instant {
  return year.time.subtract({ seconds: Math.floor(random() * most) });
}

function listOf<T extends StoredIncident>(
  year: FeedYear,
  is: (one: StoredIncident) => one is T,
): [string, T][] {
  return [...year.incidents].filter((one): one is [string, T] => is(one[1]));
}

const isOpen = (one: StoredIncident): one is Incident | ManualIncident =>
  one.kind !== "maintenance" && one.end === undefined;
const isIncident = (one: StoredIncident): one is Incident =>
  one.kind === "down" || one.kind === "degraded";
const isAhead = (year: FeedYear) => (one: StoredIncident): one is Maintenance =>
  one.kind === "maintenance" && one.end === undefined &&
  Temporal.Instant.compare(year.time, one.start) < 0;

/** A site fails, or fails again a short time after it recovered. */
function fail(year: FeedYear, random: Random): void {
  const start = ago(year, random, 600);
  const again = listOf(year, isIncident).findLast(([, { end }]) =>
    end !== undefined && Temporal.Instant.compare(end, start) < 0 &&
    start.since(end).total("minutes") < 60
  );
  if (again !== undefined) {
    const [id, { end, ...incident }] = again;
    const times = { reopened: [...incident.reopened, start], ended: [...incident.ended, end!] };
    year.incidents.set(id, { ...incident, ...times });
    return;
  }
  const slug = pick(SLUGS, random);
  const kind = pick(["down", "degraded"] as const, random);
  year.incidents.set(newId(year, start, slug), outageSince(start, { slug, kind }));
}

function recover(year: FeedYear, random: Random): void {
  const [found] = listOf(year, isOpen);
  if (found === undefined) return;
  const [id, incident] = found;
  const end = ago(year, random, 300);
  if (Temporal.Instant.compare(incident.start, end) >= 0) return;
  year.incidents.set(id, { ...incident, end });
}

/** A comment that is read up to an hour later. */
function comment(year: FeedYear, random: Random): void {
  if (year.incidents.size === 0) return;
  const [id, incident] = pick([...year.incidents].slice(-4), random);
  const phase = random() < 0.7 ? pick(PHASES, random) as Phase : undefined;
  const update: Update = { at: ago(year, random, 3600), phase, text: `Text ${random()}` };
  const updates = [...incident.updates, update]
    .sort((one, other) => Temporal.Instant.compare(one.at, other.at));
  year.incidents.set(id, { ...incident, updates });
}

function edit(year: FeedYear, random: Random): void {
  for (const [id, incident] of [...year.incidents].slice(-6)) {
    const updates = incident.updates.map((one) =>
      random() < 0.5 ? { ...one, text: `${one.text}, edited` } : one
    );
    year.incidents.set(id, { ...incident, updates });
  }
}

function erase(year: FeedYear, random: Random): void {
  for (const [id, incident] of [...year.incidents].slice(-6)) {
    const updates = incident.updates.filter(() => random() < 0.8);
    year.incidents.set(id, { ...incident, updates });
  }
}

function report(year: FeedYear, random: Random): void {
  const start = ago(year, random, 600);
  const incident: ManualIncident = {
    kind: "manual",
    name: `Notice ${year.incidents.size}`,
    sites: [pick(SLUGS, random)],
    start,
    issue: year.incidents.size + 1,
    text: "We **look** at it.",
    updates: [],
  };
  year.incidents.set(newId(year, start, "issue"), incident);
}

function plan(year: FeedYear, random: Random): void {
  const start = year.time.add({ minutes: Math.floor(random() * 60 * 24 * 20) });
  const window: Maintenance = {
    kind: "maintenance",
    source: "issue",
    name: `Move ${year.incidents.size}`,
    start,
    until: start.add({ hours: 2 }),
    sites: new Map([[pick(SLUGS, random), "down"]]),
    issue: year.incidents.size + 1,
    text: "",
    updates: [],
  };
  year.incidents.set(newId(year, start, "maintenance"), window);
}

function move(year: FeedYear, random: Random): void {
  for (const [id, window] of listOf(year, isAhead(year)).slice(0, 1)) {
    const later = { hours: 1 + Math.floor(random() * 48) };
    const times = { start: window.start.add(later), until: window.until.add(later) };
    year.incidents.set(id, { ...window, ...times });
  }
}

function cancel(year: FeedYear): void {
  for (const [id, window] of listOf(year, isAhead(year)).slice(0, 1)) {
    year.incidents.set(id, { ...window, end: window.start });
  }
}

/** Ends windows that are over, and lists the others, as a run does. */
function settle(year: FeedYear): void {
  for (const [id, one] of year.incidents) {
    if (one.kind !== "maintenance" || one.end !== undefined) continue;
    if (Temporal.Instant.compare(one.until, year.time) <= 0) {
      year.incidents.set(id, { ...one, end: one.until });
    }
  }
  year.maintenance = [...year.incidents.values()]
    .filter((one) => one.kind === "maintenance" && one.end === undefined) as Maintenance[];
}
