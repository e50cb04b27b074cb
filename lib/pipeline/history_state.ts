import type { Site } from "../config/config.ts";
import { listRecords, recordPath } from "../config/record_path.ts";
import type { Streak } from "../evaluation/results.ts";
import { listIncidents } from "../history/incident.ts";
import { expiredLogs, type KnownLogs, readKnownLogs } from "../history/known_logs.ts";
import { type HistoryRecord, isOurs, parseRecord } from "../history/record.ts";
import { readRunStarts } from "../history/run_starts.ts";
import { refreshRecords } from "../history/run_state.ts";
import { openStore, type OpenStoreOptions } from "../history/store/open_store.ts";
import {
  type Capabilities,
  overlayFiles,
  type Snapshot,
  type Store,
} from "../history/store/store.ts";
import { isUpptimeRecord, isUpptimeSummary } from "../config/upptime/repository.ts";
import type { KnownMaintenance } from "../incidents/maintenance/plan_maintenance.ts";
import { SHORTEST_ALARM } from "../statistics/run_gaps.ts";
import { parseSummary, SUMMARY_PATH, type SummaryEntry } from "../statistics/summary.ts";
import {
  type KnownIncidents,
  loadIncidents,
  loadMaintenance,
  readOpenIncidents,
  restoreRecords,
} from "./known_incidents.ts";
import { type LoadedState, loadRunState } from "./run_state.ts";
import { readNewest } from "./uncommitted.ts";

export interface HistoryState extends KnownIncidents, KnownMaintenance {
  /** Identifies the state it was read from; absent if that may change meanwhile. */
  version?: string;
  capabilities: Capabilities;
  /** Records by slug, refreshed with unflushed checks. */
  records: ReadonlyMap<string, HistoryRecord>;
  /** Sites whose file is older than their record. */
  stale: ReadonlySet<string>;
  /** Records of sites that are no longer configured and whose incident is still open, by slug. */
  gone: ReadonlyMap<string, HistoryRecord>;
  /** Incidents by the slug of their site whose record does not name them; they are continued. */
  recovered: ReadonlyMap<string, string>;
  streaks: ReadonlyMap<string, Streak>;
  /** Slugs of all configured sites; absent if the configuration does not list all. */
  configured?: ReadonlySet<string>;
  /** Sites of the summary: all that are known to be configured, in their order. */
  sites: readonly Site[];
  /** Its entries on the branch, by slug. */
  summary: ReadonlyMap<string, SummaryEntry>;
  loadedState: LoadedState;
  /** Starts of the runs of the last week before a pause, ascending; absent without a pause that may be a gap. */
  runs?: readonly number[];
  logs: KnownLogs;
  expired: readonly string[];
  /** The last commit of a run, if the run state since then was lost because somebody has deleted the ref. */
  lostSince?: Temporal.Instant;
  /** Files of maintenance that can't be read; they are left as they are. */
  damagedMaintenance: readonly string[];
  /** Files that can't be read; they are written anew. */
  unreadable: string[];
}

/** The part of the configuration, and of the run, that a history is read for. */
export interface Scope {
  sites: readonly Site[];
  /** All sites of the configuration; absent if it does not list all. A site with a record that is not among them is gone. */
  configured?: readonly Site[];
  time: Temporal.Instant;
  keepDays: number;
  /** True if a run after a long pause has to know how long pauses usually are. */
  findsGaps?: boolean;
}

/** Time before the last run whose gaps are usual. */
const WEEK = { hours: 7 * 24 };

export interface OpenedHistory {
  store: Store;
  state: HistoryState;
  /** Files of the history that no commit contains yet. */
  uncommitted: ReadonlyMap<string, string>;
  /** Loads the history of a snapshot, unless that is the one which was opened. */
  load(snapshot: Snapshot): Promise<HistoryState>;
}

/**
 * Opens the store of a folder, and loads history and run state.
 *
 * @throws {RepositoryError} If the repository is in a state in which nothing can be recorded.
 */
export async function openHistory(
  root: string,
  scope: Scope,
  options: OpenStoreOptions,
): Promise<OpenedHistory> {
  const store = await openStore(root, options);
  const { newest, uncommitted } = await readNewest(store, options.workspace);
  const state = await loadHistoryState(newest, scope);
  const load = async (snapshot: Snapshot) =>
    isSame(snapshot, state) ? state : await loadHistoryState(snapshot, scope);
  return { store, uncommitted, state, load };
}

/** True if a snapshot is known to be what a history was read from. */
export function isSame(snapshot: Snapshot, { version }: HistoryState): boolean {
  return version !== undefined && version === snapshot.version;
}

export async function loadHistoryState(
  branch: Snapshot,
  scope: Scope,
): Promise<HistoryState> {
  const { sites, configured, time, keepDays } = scope;
  const loadedState = await loadRunState(branch);
  const { runState } = loadedState;
  const snapshot = overlayFiles(branch, runState?.files);
  const { flushed } = runState ?? {};
  const slugs = await listRecords(snapshot);
  const times = [time, ...loadedState.rows.map((row) => row.time), flushed?.time ?? []].flat();
  const [files, logs, expired] = await Promise.all([
    snapshot.read([...slugs.map(recordPath), SUMMARY_PATH]),
    readKnownLogs(snapshot, times),
    expiredLogs(snapshot, time, keepDays),
  ]);
  const summary = files.get(SUMMARY_PATH) ?? "";
  const recorded = new Map(slugs.map((slug) => {
    const text = files.get(recordPath(slug)) ?? "";
    return [slug, { text, record: parseRecord(text) }];
  }));
  const gone = configured === undefined ? new Map() : findGoneSites(recorded, configured);
  const unreadable = [...loadedState.unreadable];
  const records = new Map<string, HistoryRecord>();
  const ours: Site[] = [];
  for (const site of sites) {
    const { text, record } = recorded.get(site.slug) ?? {};
    if (text !== undefined && isUpptimeRecord(text)) continue;
    ours.push(site);
    if (record !== undefined) records.set(site.slug, record);
    if (record === undefined && text !== undefined) unreadable.push(recordPath(site.slug));
  }
  const streaks = runState?.sites ?? {};
  const ids = await listIncidents(snapshot);
  const open = await readOpenIncidents(snapshot);
  const lost = restoreRecords(ours, records, open);
  for (const [slug, record] of lost) records.set(slug, record);
  const refreshed = refreshRecords(records, loadedState.rows);
  const { unreadable: damaged, ...incidents } = await loadIncidents(snapshot, {
    ids,
    open,
    records,
    sites,
    configured,
    gone,
    runState,
    time,
  });
  const { maintenance, damaged: damagedMaintenance } = await loadMaintenance(snapshot, ids, time);
  const last = runState?.time;
  const runs = isAfterPause(last, scope)
    ? await readRunStarts(snapshot, last!.subtract(WEEK).epochMilliseconds, loadedState.rows)
    : undefined;
  return {
    version: snapshot.version,
    capabilities: snapshot.capabilities,
    records: new Map([...records, ...refreshed]),
    stale: new Set([...refreshed.keys(), ...lost.keys()]),
    recovered: new Map([...lost].map(([slug, { incident }]) => [slug, incident!])),
    ...incidents,
    maintenance,
    damagedMaintenance,
    gone,
    streaks: new Map(Object.entries(streaks)),
    configured: configured && new Set(configured.map(({ slug }) => slug)),
    sites: configured ?? sites,
    runs,
    summary: isUpptimeSummary(summary) ? new Map() : parseSummary(summary),
    loadedState,
    logs,
    expired,
    lostSince: runState === undefined && loadedState.isRefMissing
      ? findLastRun(records)
      : undefined,
    unreadable: [...unreadable, ...damaged],
  };
}

/** True if no run was made for so long before a run that it may be a gap to report. */
export function isAfterPause(
  last: Temporal.Instant | undefined,
  { time, findsGaps = false }: Pick<Scope, "time" | "findsGaps">,
): boolean {
  if (!findsGaps || last === undefined) return false;
  return time.epochMilliseconds - last.epochMilliseconds >= SHORTEST_ALARM;
}

function findLastRun(records: ReadonlyMap<string, HistoryRecord>): Temporal.Instant | undefined {
  return [...records.values()].filter(({ generator }) => isOurs(generator))
    .map(({ lastUpdated }) => lastUpdated).sort(Temporal.Instant.compare).at(-1);
}

function findGoneSites(
  recorded: ReadonlyMap<string, { record?: HistoryRecord }>,
  sites: readonly Site[],
): Map<string, HistoryRecord> {
  const configured = new Set(sites.map(({ slug }) => slug));
  const gone = new Map<string, HistoryRecord>();
  for (const [slug, { record }] of recorded) {
    if (!configured.has(slug) && record?.incident !== undefined) gone.set(slug, record);
  }
  return gone;
}
