import type { Site } from "../config/config.ts";
import { stateOf } from "../incidents/plan_incident.ts";
import type { Snapshot } from "../history/store/store.ts";
import { CHECKS_FOLDER, dayOfLog, parseRows } from "../history/checks_log.ts";
import { DAILY_FOLDER } from "../history/daily_log.ts";
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
export interface LostRecords {
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
  const starts = await firstChecks(snapshot, lost.map(({ site }) => site.slug));
  return {
    records: new Map(
      lost.map(({ site, first }) => [site.slug, recordFrom(site, first, starts.get(site.slug))]),
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
function recordFrom(
  { url }: Site,
  { id, incident }: { id: string; incident: Incident },
  firstCheck: Temporal.Instant = incident.start,
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
    startTime: Temporal.Instant.compare(firstCheck, start) <= 0 ? firstCheck : start,
    generator: "",
    degraded: state === "degraded",
    since,
    incident: id,
  };
}

/** Finds the first check of each site in the logs; of rolled-up days only the start of the day is known. */
async function firstChecks(
  snapshot: Snapshot,
  slugs: readonly string[],
): Promise<Map<string, Temporal.Instant>> {
  const first = new Map<string, Temporal.Instant>();
  if (slugs.length === 0) return first;
  const years = (await snapshot.list(DAILY_FOLDER)).filter((name) => /^\d{4}\.csv$/.test(name));
  const days = (await snapshot.list(CHECKS_FOLDER)).filter((name) => dayOfLog(name) !== undefined);
  const decoder = new TextDecoder();
  for (
    const path of [
      ...years.sort().map((name) => `${DAILY_FOLDER}/${name}`),
      ...days.sort().map((name) => `${CHECKS_FOLDER}/${name}`),
    ]
  ) {
    const missing = slugs.filter((slug) => !first.has(slug));
    if (missing.length === 0) break;
    for await (const [, content] of snapshot.stream([path])) {
      const text = decoder.decode(content);
      const rows = path.startsWith(DAILY_FOLDER) ? undefined : parseRows(text);
      for (const slug of missing) {
        const time = rows === undefined
          ? firstDay(text, slug)
          : rows.find((row) => row.slug === slug)?.time;
        if (time !== undefined) first.set(slug, time);
      }
    }
  }
  return first;
}

/** The first day of a site in the log of a year. */
function firstDay(text: string, slug: string): Temporal.Instant | undefined {
  const line = text.split("\n").find((line) => line.slice(11).startsWith(`${slug},`));
  const day = line?.slice(0, 10) ?? "";
  return /^\d{4}-\d\d-\d\d$/.test(day) ? Temporal.Instant.from(`${day}T00:00Z`) : undefined;
}
