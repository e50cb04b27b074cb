import { LONGEST_WINDOW } from "../config/read_maintenance.ts";
import type { Site } from "../config/config.ts";
import {
  findIncidentId,
  type Incident,
  incidentPath,
  INCIDENTS_FOLDER,
  parseIncident,
  readIncidents,
} from "../history/incident.ts";
import { type Maintenance, mayBeMaintenance, parseMaintenance } from "../history/maintenance.ts";
import { type HistoryRecord, toCondition } from "../history/record.ts";
import type { Snapshot } from "../history/store/store.ts";
import { findIssueNumbers, parseStoredIncident } from "../history/stored_incidents.ts";
import { listMutedSites } from "../incidents/acknowledgement/mutes.ts";
import { latestState } from "../incidents/plan_incident.ts";
import { DAY, HOUR, isBefore, latest, utcDay } from "../time.ts";
import { listNotifiedChannels } from "../notifications/channel_state.ts";
import type { RunState } from "./run_state.ts";

/** Incidents before a run decides. */
export interface KnownIncidents {
  /** The open ones, by id. */
  incidents: ReadonlyMap<string, Incident>;
  /** Those that have ended and may get an issue number, a command, or be reopened, by id. */
  ended: ReadonlyMap<string, Incident>;
  /** Open ones that no record names, and that are not continued either, by id: they end once their site is up. */
  orphans: ReadonlyMap<string, Incident>;
  incidentIds: ReadonlySet<string>;
  /** Those whose file lacks the number of their issue, or channels that were notified. */
  outdated: ReadonlySet<string>;
}

/** Incidents of a site that are read to find its last one: their ids are sorted as texts, and fit other sites as well. */
const MOST_RECENT = 8;

/** Time after the end of an incident during which commands on its issue are still executed, in milliseconds. */
export const ANSWER_TIME = HOUR;

/** Loads the incidents that a run needs, of those that have a file, and the paths of those that can't be read. */
export async function loadIncidents(
  snapshot: Snapshot,
  { ids, open, records, sites, configured, gone, runState, time }: {
    ids: ReadonlySet<string>;
    /** All open ones that can be read, by id. */
    open: ReadonlyMap<string, Incident>;
    records: ReadonlyMap<string, HistoryRecord>;
    sites: readonly Site[];
    configured?: readonly Site[];
    gone: ReadonlyMap<string, HistoryRecord>;
    runState?: Pick<RunState, "outbox" | "sites" | "mutes" | "channels">;
    time: Temporal.Instant;
  },
): Promise<KnownIncidents & { unreadable: string[] }> {
  const recorded = new Set(
    [...records.values(), ...gone.values()].flatMap(({ incident }) => incident ?? []),
  );
  const numbers = findIssueNumbers(runState?.outbox ?? []);
  const named = groupByName([...ids]);
  const muted = listMutedSites(runState?.mutes ?? {}, time);
  const recent = sites.flatMap(({ slug, reopenWithin }) => {
    const record = records.get(slug);
    if (record === undefined || record.incident !== undefined) return [];
    const failingSince = runState?.sites[slug]?.failing?.since ?? time;
    const isRecent = isWithin(reopenWithin, record.since, failingSince) ||
      isWithin(ANSWER_TIME, record.since, time) || muted.has(slug);
    return isRecent ? (named.get(slug) ?? []).slice(-MOST_RECENT) : [];
  });
  const notified = runState?.channels && listNotifiedChannels(runState.channels);
  const wanted = new Set([
    ...recorded,
    ...numbers.keys(),
    ...recent,
    ...[...notified?.keys() ?? []].filter((id) => ids.has(id)),
  ]);
  const texts = await readIncidents(snapshot, ids, wanted);
  const [incidents, ended] = [new Map<string, Incident>(), new Map<string, Incident>()];
  const outdated = new Set<string>();
  const unreadable: string[] = [];
  for (const id of wanted) {
    const text = texts.get(id);
    if (text === undefined) continue;
    const read = parseIncident(text);
    if (read === undefined) {
      if (recorded.has(id)) unreadable.push(incidentPath(id));
      continue;
    }
    const issue = numbers.get(read.shared ?? id) ?? read.issue;
    const channels = read.end === undefined && notified !== undefined
      ? notified.get(id) ?? []
      : read.channels;
    if (issue !== read.issue || channels.join() !== read.channels.join()) outdated.add(id);
    const incident = { ...read, issue, channels };
    if (incident.end !== undefined) ended.set(id, incident);
    else if (recorded.has(id)) incidents.set(id, incident);
  }
  for (const [id, incident] of await loadOtherCauses(snapshot, { incidents, ended }, ids)) {
    (incident.end === undefined ? incidents : ended).set(id, incident);
  }
  const checked = new Set(sites.map(({ slug }) => slug));
  const known = configured && new Set(configured.map(({ slug }) => slug));
  const orphans = new Map([...open].flatMap(([id, incident]): [string, Incident][] => {
    const { slug, shared = id, issue } = incident;
    // The incident of a site that is paused waits.
    const isOrphan = !recorded.has(id) && (checked.has(slug) || known?.has(slug) === false);
    return isOrphan ? [[id, { ...incident, issue: numbers.get(shared) ?? issue }]] : [];
  }));
  return { incidents, ended, orphans, incidentIds: ids, outdated, unreadable };
}

/** Loads root causes of open incidents that belong to sites which have recovered or are not checked. */
async function loadOtherCauses(
  snapshot: Snapshot,
  { incidents, ended }: Pick<KnownIncidents, "incidents" | "ended">,
  ids: ReadonlySet<string>,
): Promise<[id: string, incident: Incident][]> {
  const causes = new Set([...incidents.values()].flatMap(({ cause }) => cause ?? []));
  const missing = [...causes].filter((id) => !incidents.has(id) && !ended.has(id));
  return [...await readIncidents(snapshot, ids, missing)].flatMap(([id, text]) => {
    const incident = parseIncident(text);
    return incident === undefined ? [] : [[id, incident]];
  });
}

/** Reads all open incidents of sites, by id, the oldest first. */
export async function readOpenIncidents(
  snapshot: Pick<Snapshot, "readAll">,
): Promise<Map<string, Incident>> {
  // By their names each would be looked up in the folder, which takes seconds for thousands.
  const files = await snapshot.readAll(
    INCIDENTS_FOLDER,
    (path) => findIncidentId(path) !== undefined,
  );
  const decoder = new TextDecoder();
  const open = [...files].flatMap(([path, bytes]): [string, Incident][] => {
    const text = decoder.decode(bytes);
    const incident = HAS_END.test(text) ? undefined : parseIncident(text);
    return incident === undefined ? [] : [[findIncidentId(path)!, incident]];
  });
  return new Map(
    open.sort(([, one], [, other]) => Temporal.Instant.compare(one.start, other.start)),
  );
}

const HAS_END = /^end:/m;

/**
 * Restores the records of sites whose open incident no record names, by slug: it was lost, can't be read, has lost the
 * name, or comes from an older commit. The oldest incident counts. One that began before the site was up is not
 * continued: its file comes from an older commit.
 */
export function restoreRecords(
  sites: readonly Site[],
  records: ReadonlyMap<string, HistoryRecord>,
  open: ReadonlyMap<string, Incident>,
): Map<string, HistoryRecord> {
  const bySlug = Map.groupBy(open, ([, { slug }]) => slug);
  return new Map(sites.flatMap((site): [string, HistoryRecord][] => {
    const own = bySlug.get(site.slug) ?? [];
    const record = records.get(site.slug);
    if (own.some(([id]) => id === record?.incident)) return [];
    const continued = own.find(([, incident]) => findLaterUp(incident, record) === undefined);
    return continued === undefined ? [] : [[site.slug, toRecord(site, continued, record)]];
  }));
}

/** The time since when a site has been up according to its record, if that is after all that an incident knows. */
export function findLaterUp(
  incident: Incident,
  record: HistoryRecord | undefined,
): Temporal.Instant | undefined {
  if (record === undefined || toCondition(record) !== "up") return undefined;
  return isBefore(findLastChange(incident), record.since) ? record.since : undefined;
}

function findLastChange({ start, reopened, changes }: Incident): Temporal.Instant {
  return latest(start, ...reopened, ...changes.map(({ at }) => at));
}

function toRecord(
  { url }: Site,
  [id, incident]: [id: string, incident: Incident],
  before: HistoryRecord | undefined,
): HistoryRecord {
  const { start, confirmed, code } = incident;
  const since = findLastChange(incident);
  const state = latestState(incident);
  return {
    ...before ?? {
      ...{ url, code, responseTime: 0, startTime: start, generator: "" },
      lastUpdated: latest(since, confirmed),
    },
    status: state === "down" ? "down" : "up",
    degraded: state === "degraded",
    since,
    incident: id,
  };
}

/** The incidents that may belong to a site, by slug: the name of a file can fit two sites. */
function groupByName(ids: readonly string[]): Map<string, string[]> {
  const named = new Map<string, string[]>();
  for (const id of ids) {
    const name = id.slice("YYYY-MM-DD-".length);
    const [, start] = /^(.*)-\d+$/s.exec(name) ?? [];
    for (const slug of start === undefined ? [name] : [name, start]) {
      named.getOrInsert(slug, []).push(id);
    }
  }
  return named;
}

/** The incident of a site that ended so recently that a new failure reopens it. */
export function findReopened(
  ended: ReadonlyMap<string, Incident>,
  { slug, reopenWithin }: Pick<Site, "slug" | "reopenWithin">,
  since: Temporal.Instant,
): [id: string, incident: Incident] | undefined {
  return [...ended].filter(([, incident]) =>
    incident.slug === slug && isWithin(reopenWithin, incident.end!, since)
  ).sort(([, one], [, other]) => Temporal.Instant.compare(one.end!, other.end!)).at(-1);
}

/** True if two moments are no more than some milliseconds apart, or a clock was set back meanwhile. */
function isWithin(milliseconds: number, from: Temporal.Instant, to: Temporal.Instant): boolean {
  return to.epochMilliseconds - from.epochMilliseconds <= milliseconds;
}

/** Age of the oldest relevant file name: a window is postponed by its longest length at most, and clocks may differ by a day. */
const REACH = { milliseconds: 2 * LONGEST_WINDOW + DAY };

/** Loads the maintenance windows that are open, ahead or just over, by id, and the paths of damaged files. */
export async function loadMaintenance(
  snapshot: Snapshot,
  ids: ReadonlySet<string>,
  time: Temporal.Instant,
): Promise<{ maintenance: Map<string, Maintenance>; damaged: string[] }> {
  const firstDay = utcDay(time.subtract(REACH));
  const wanted = [...ids].filter((id) => mayBeMaintenance(id, firstDay)).sort();
  const texts = await readIncidents(snapshot, ids, wanted);
  const known = { maintenance: new Map<string, Maintenance>(), damaged: [] as string[] };
  for (const id of wanted) {
    const text = texts.get(id) ?? "";
    const maintenance = parseMaintenance(text);
    if (maintenance !== undefined) known.maintenance.set(id, maintenance);
    // The file of a site may have such a name as well.
    else if (texts.has(id) && parseStoredIncident(text) === undefined) {
      known.damaged.push(incidentPath(id));
    }
  }
  return known;
}
