import type { Site } from "../config/config.ts";
import { checksPath } from "./checks_log.ts";
import { type Incident, incidentPath, INCIDENTS_FOLDER, parseIncident } from "./incident.ts";
import { type HistoryRecord, parseRecord, recordPath } from "./record.ts";
import type { Snapshot } from "./store.ts";

/** What is known of the sites before a run decides. */
export interface HistoryState {
  /** Records by slug. */
  records: ReadonlyMap<string, HistoryRecord>;
  /** Open incidents by id. */
  incidents: ReadonlyMap<string, Incident>;
  /** Ids that are in use. */
  incidentIds: ReadonlySet<string>;
  /** Text of the log that the run's rows go into. */
  checks?: string;
  /** Files that can't be read, by path; they are written anew. */
  unreadable: string[];
}

/** Reads what a run has to know of its sites. */
export async function loadState(
  snapshot: Snapshot,
  sites: readonly Site[],
  time: Temporal.Instant,
): Promise<HistoryState> {
  const log = checksPath(time);
  const paths = sites.map(({ slug }) => recordPath(slug));
  const [files, names] = await Promise.all([
    snapshot.read([...paths, log]),
    snapshot.list(INCIDENTS_FOLDER),
  ]);
  const unreadable: string[] = [];
  const records = new Map<string, HistoryRecord>();
  for (const { slug } of sites) {
    const text = files.get(recordPath(slug));
    const record = text === undefined ? undefined : parseRecord(text);
    if (record !== undefined) records.set(slug, record);
    else if (text !== undefined) unreadable.push(recordPath(slug));
  }
  const ids = [...records.values()].flatMap(({ incident }) => incident ?? []);
  const incidents = new Map<string, Incident>();
  for (const [path, text] of await snapshot.read(ids.map(incidentPath))) {
    const incident = parseIncident(text);
    const id = ids.find((one) => incidentPath(one) === path);
    if (incident !== undefined && incident.end === undefined && id !== undefined) {
      incidents.set(id, incident);
    } else if (incident === undefined) unreadable.push(path);
  }
  const incidentIds = new Set(names.map((name) => name.replace(/\.yml$/, "")));
  return { records, incidents, incidentIds, checks: files.get(log), unreadable };
}
