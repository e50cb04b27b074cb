import type { Site } from "../config/config.ts";
import { stateOf } from "../incidents/plan_incident.ts";
import type { Snapshot } from "../history/store/store.ts";
import {
  endIncident,
  type Incident,
  incidentPath,
  listIncidents,
  parseIncident,
} from "../history/incident.ts";
import { incidentNumber } from "./known_incidents.ts";
import type { Streak } from "../evaluation/results.ts";
import type { HistoryRecord } from "../history/record.ts";

/** Sites whose record is missing or can't be read while an incident of theirs is open. */
interface LostRecords {
  /** By slug, restored from their incidents. */
  records: ReadonlyMap<string, HistoryRecord>;
  duplicates: DuplicateIncident[];
}

/** An open incident of a site that has an older one. */
export interface DuplicateIncident {
  id: string;
  /** Ended at its start, so that no time counts twice. */
  incident: Incident;
  site: Site;
  /** The incident that is continued. */
  original: { id: string; issue?: number };
}

/**
 * Finds sites whose record can be read, but was changed by hand or by a merge: it names an incident that is
 * not there, or none though the last run saw the site down or degraded.
 */
export async function findWrongRecords(
  snapshot: Snapshot,
  { sites, records, streaks }: {
    sites: readonly Site[];
    records: ReadonlyMap<string, HistoryRecord>;
    streaks: Readonly<Record<string, Pick<Streak, "recent">>>;
  },
): Promise<Site[]> {
  const named = [...records.values()].flatMap(({ incident }) => incident ?? []);
  const files = await snapshot.read(named.map(incidentPath));
  return sites.filter(({ slug }) => {
    const record = records.get(slug);
    if (record?.incident !== undefined) return !files.has(incidentPath(record.incident));
    return record !== undefined && /[^u]$/.test(streaks[slug]?.recent ?? "");
  });
}

/** Finds the open incidents of sites without a record; of several of one site the oldest is continued. */
export async function findLostRecords(
  snapshot: Snapshot,
  sites: readonly Site[],
): Promise<LostRecords> {
  const ids = sites.length === 0 ? [] : await listIncidents(snapshot);
  const wanted = ids.filter((id) => sites.some(({ slug }) => isNamedAfter(id, slug)));
  const files = await snapshot.read(wanted.map(incidentPath));
  const open = wanted.flatMap((id) => {
    const incident = parseIncident(files.get(incidentPath(id)) ?? "");
    return incident === undefined || incident.end !== undefined ? [] : [{ id, incident }];
  }).sort((one, other) => Temporal.Instant.compare(one.incident.start, other.incident.start));
  const lost = sites.flatMap((site) => {
    const [first, ...others] = open.filter(({ incident }) => incident.slug === site.slug);
    return first === undefined ? [] : [{ site, first, others }];
  });
  return {
    records: new Map(
      lost.map(({ site, first }) => [site.slug, toRecord(site, first)]),
    ),
    duplicates: lost.flatMap(({ site, first: { id, incident: { issue } }, others }) =>
      others.map((other): DuplicateIncident => ({
        id: other.id,
        incident: endIncident(other.incident, other.incident.start),
        site,
        original: { id, ...issue === undefined ? {} : { issue } },
      }))
    ),
  };
}

function isNamedAfter(id: string, slug: string): boolean {
  const name = /^\d{4}-\d\d-\d\d-(.+)$/s.exec(id)?.[1];
  return name !== undefined && incidentNumber(name, slug) !== undefined;
}

/** Restores the record of a site from its open incident. */
function toRecord(
  { url }: Site,
  { id, incident }: { id: string; incident: Incident },
): HistoryRecord {
  const { start, confirmed, reopened, changes, code } = incident;
  const latest = (...times: Temporal.Instant[]) => times.toSorted(Temporal.Instant.compare).at(-1)!;
  const since = latest(start, ...reopened, ...changes.map(({ at }) => at));
  const state = stateOf(incident);
  return {
    url,
    status: state === "down" ? "down" : "up",
    code,
    responseTime: 0,
    lastUpdated: latest(since, confirmed),
    startTime: start,
    generator: "",
    degraded: state === "degraded",
    since,
    incident: id,
  };
}
