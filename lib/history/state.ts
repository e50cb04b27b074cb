import type { Site } from "../config/config.ts";
import { checksPath } from "./checks_log.ts";
import { type Incident, incidentPath, INCIDENTS_FOLDER, parseIncident } from "./incident.ts";
import {
  HISTORY_FOLDER,
  type HistoryRecord,
  parseRecord,
  recordedSlugs,
  recordPath,
} from "./record.ts";
import type { Snapshot } from "./store.ts";

/** What is known of the sites before a run decides. */
export interface HistoryState {
  /** Records by slug. */
  records: ReadonlyMap<string, HistoryRecord>;
  /** Open incidents by id. */
  incidents: ReadonlyMap<string, Incident>;
  /** Ids that are in use. */
  incidentIds: ReadonlySet<string>;
  /**
   * Records of sites that are no longer configured and whose incident is still open, by slug; none
   * where the configuration does not tell all sites.
   */
  gone: ReadonlyMap<string, HistoryRecord>;
  /** Name of the commit it was read from; absent where it was read from files. */
  commit?: string;
  /** Text of the log that the run's rows go into. */
  checks?: string;
  /** Files that can't be read, by path; they are written anew. */
  unreadable: string[];
}

/** What is known of the configuration that the sites come from. */
export interface LoadStateOptions {
  /**
   * All sites of the configuration, also those that are not looked at: a site with a record that is not
   * among them is gone. Absent where the configuration does not tell all.
   */
  configured?: readonly Site[];
}

/** Reads what a run has to know of its sites. */
export async function loadState(
  snapshot: Snapshot,
  sites: readonly Site[],
  time: Temporal.Instant,
  { configured }: LoadStateOptions = {},
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
  const gone = configured === undefined
    ? new Map<string, HistoryRecord>()
    : await goneSites(snapshot, configured);
  const ids = [...records.values(), ...gone.values()].flatMap(({ incident }) => incident ?? []);
  const incidents = new Map<string, Incident>();
  for (const [path, text] of await snapshot.read(ids.map(incidentPath))) {
    const incident = parseIncident(text);
    const id = ids.find((one) => incidentPath(one) === path);
    if (incident !== undefined && incident.end === undefined && id !== undefined) {
      incidents.set(id, incident);
    } else if (incident === undefined) unreadable.push(path);
  }
  const incidentIds = new Set(names.map((name) => name.replace(/\.yml$/, "")));
  return {
    commit: snapshot.commit,
    records,
    incidents,
    incidentIds,
    gone,
    checks: files.get(log),
    unreadable,
  };
}

async function goneSites(
  snapshot: Snapshot,
  sites: readonly Site[],
): Promise<Map<string, HistoryRecord>> {
  const configured = new Set(sites.map(({ slug }) => slug));
  const others = recordedSlugs(await snapshot.list(HISTORY_FOLDER)).filter((slug) =>
    !configured.has(slug)
  );
  const files = await snapshot.read(others.map(recordPath));
  const gone = new Map<string, HistoryRecord>();
  for (const slug of others) {
    const record = parseRecord(files.get(recordPath(slug)) ?? "");
    if (record?.incident !== undefined) gone.set(slug, record);
  }
  return gone;
}
