import type { Site } from "../config/config.ts";
import { chooseLayout, type Layout, listRecords, recordPath } from "../config/layout.ts";
import type { Streak } from "../evaluation/results.ts";
import {
  incidentPath,
  type IncidentPaths,
  listIncidents,
  readIncidents,
} from "../history/incident.ts";
import { expiredLogs, type KnownLogs, readKnownLogs } from "../history/known_logs.ts";
import { chooseRecord, type HistoryRecord, isOurs } from "../history/record.ts";
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
import { SUMMARY_PATH } from "../statistics/summary.ts";
import { readSummaryTexts, StoredSummary } from "../statistics/summary_files.ts";
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
  /** Layout of the files that the next commit writes. */
  layout: Layout;
  /** Texts of the records and incidents that the other layout has, by the path that they move to. */
  moved: ReadonlyMap<string, string>;
  /** Paths of those that the next commit removes. */
  left: readonly string[];
  /** Records by slug, refreshed with unflushed checks. */
  records: ReadonlyMap<string, HistoryRecord>;
  /** Sites whose file is older than their record. */
  stale: ReadonlySet<string>;
  /** Records of sites that are no longer configured and whose incident is still open, by slug. */
  gone: ReadonlyMap<string, HistoryRecord>;
  /** Incidents by the slug of their site whose record does not name them; they are continued. */
  recovered?: ReadonlyMap<string, string>;
  streaks: ReadonlyMap<string, Streak>;
  /** Slugs of all configured sites; absent if the configuration does not list all. */
  configured?: ReadonlySet<string>;
  /** Sites of the summary: all that are known to be configured, in their order. */
  sites: readonly Site[];
  summary: StoredSummary;
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
  const paths = await listRecords(snapshot);
  const layout = configured === undefined
    ? findLayout(paths, sites.length)
    : chooseLayout(configured.length);
  const times = [...loadedState.rows.map((row) => row.time), flushed?.time ?? []].flat();
  const [files, summary, logs, expired] = await Promise.all([
    snapshot.read([...paths.values()].flat()),
    readSummaryTexts(snapshot),
    readKnownLogs(snapshot, times, { now: time, layout }),
    // Reading whole days of a nested history takes too long for each run.
    layout === "nested" ? [] : expiredLogs(snapshot, time, keepDays),
  ]);
  const recorded = new Map(
    [...paths].map(([slug, own]) => [
      slug,
      chooseRecord(own.flatMap((path) => files.get(path) ?? [])),
    ]),
  );
  const gone = configured === undefined ? new Map() : findGoneSites(recorded, configured);
  const unreadable = [...loadedState.unreadable];
  const records = new Map<string, HistoryRecord>();
  const ours: Site[] = [];
  for (const site of sites) {
    const { text, record } = recorded.get(site.slug) ?? {};
    if (text !== undefined && isUpptimeRecord(text)) continue;
    ours.push(site);
    if (record !== undefined) records.set(site.slug, record);
    if (record === undefined && text !== undefined) unreadable.push(paths.get(site.slug)![0]!);
  }
  const streaks = runState?.sites ?? {};
  const incidentPaths = await listIncidents(snapshot, layout);
  const open = await readOpenIncidents(snapshot, incidentPaths);
  const lost = restoreRecords(ours, records, open);
  for (const [slug, record] of lost) records.set(slug, record);
  const refreshed = refreshRecords(records, loadedState.rows);
  const { unreadable: damaged, ...incidents } = await loadIncidents(snapshot, {
    paths: incidentPaths,
    open,
    records,
    sites,
    configured,
    gone,
    runState,
    time,
  });
  const { maintenance, damaged: damagedMaintenance } = await loadMaintenance(
    snapshot,
    incidentPaths,
    time,
  );
  const movedIncidents = await planIncidentMoves(snapshot, incidentPaths, layout);
  const movedRecords = planMoves(paths, recorded, layout);
  const last = runState?.time;
  const runs = isAfterPause(last, scope)
    ? await readRunStarts(snapshot, last!.subtract(WEEK).epochMilliseconds, loadedState.rows)
    : undefined;
  return {
    version: snapshot.version,
    capabilities: snapshot.capabilities,
    layout,
    moved: new Map([...movedRecords.moved, ...movedIncidents.moved]),
    left: [...movedRecords.left, ...movedIncidents.left],
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
    ...runs === undefined ? {} : { runs },
    summary: new StoredSummary(
      isUpptimeSummary(summary.get(SUMMARY_PATH) ?? "") ? new Map() : summary,
    ),
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

/** The layout of a history whose sites are not all known: it stays as it is, and a new one fits the known sites. */
function findLayout(paths: ReadonlyMap<string, readonly string[]>, sites: number): Layout {
  if (paths.size === 0) return chooseLayout(sites);
  const isNested = [...paths].some(([slug, own]) => own.includes(recordPath(slug, "nested")));
  return isNested ? "nested" : "flat";
}

/** Plans how records that are in the other layout move. */
function planMoves(
  paths: ReadonlyMap<string, readonly string[]>,
  recorded: ReadonlyMap<string, { text?: string }>,
  layout: Layout,
): Pick<HistoryState, "moved" | "left"> {
  const [moved, left] = [new Map<string, string>(), [] as string[]];
  for (const [slug, own] of paths) {
    const path = recordPath(slug, layout);
    const others = own.filter((one) => one !== path);
    const { text } = recorded.get(slug)!;
    if (others.length === 0 || text === undefined) continue;
    moved.set(path, text);
    left.push(...others);
  }
  return { moved, left };
}

/** Plans how incidents that are in the other layout move; of two files the one that is in its place stays. */
async function planIncidentMoves(
  snapshot: Snapshot,
  incidents: IncidentPaths,
  layout: Layout,
): Promise<Pick<HistoryState, "moved" | "left">> {
  const misplaced = [...incidents].filter(([id, [path]]) => path !== incidentPath(id, layout));
  const texts = await readIncidents(snapshot, incidents, misplaced.map(([id]) => id));
  return {
    moved: new Map([...texts].map(([id, text]) => [incidentPath(id, layout), text])),
    left: [...incidents].flatMap(([id, own]) =>
      own.filter((path) => path !== incidentPath(id, layout))
    ),
  };
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
