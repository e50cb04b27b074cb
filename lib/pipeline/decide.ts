import {
  appendRows,
  type CheckRow,
  checksPath,
  missingRows,
  type Run,
} from "../history/checks_log.ts";
import type { Rendering } from "../statistics/api/badge.ts";
import {
  type MaintenanceChange,
  type MaintenancePlans,
  planMaintenance,
} from "../incidents/maintenance/plan_maintenance.ts";
import { siteWindows } from "../incidents/maintenance/windows.ts";
import type { Carriers, Effect } from "../outbox/effect.ts";
import { forgetOld, plan } from "../outbox/outbox.ts";
import { MINUTE } from "../time.ts";
import type { ProbeResult, Streak } from "../evaluation/results.ts";
import { changedFiles, filesOf, isChange, maintenanceFiles } from "./branch_files.ts";
import { type Findings, findOut, type RecordedBefore } from "./find_out.ts";
import type { Memory } from "./memory.ts";
import { type Listeners, owedFor } from "./owed.ts";
import { type Kept, placeMemory, takesRef } from "./place_memory.ts";
import type { HistoryState } from "./state.ts";
import { showsOtherState, summaryFiles } from "./summary_files.ts";

/** What a run adds to the history: plain values, to be published or decided again. */
export interface Decision extends Omit<Findings, "records" | "incidents" | "streaks">, Kept {
  /** What becomes of maintenance windows. */
  maintenance: MaintenanceChange[];
  /** What is owed to the outside because of what was found. */
  effects: Effect[];
  memory: Memory;
  /** Runs whose checks the branch gets; none where they all wait. */
  folded: number;
  /** When they are committed where nothing changes before; absent where they are now, or can't be. */
  dueAt?: Temporal.Instant;
}

/** What decides when there is a commit, and what is carried out. */
export interface DecideOptions {
  /** Milliseconds between two commits in which nothing changed; 0 where every run commits. */
  commitEvery: number;
  carriers: Carriers;
  listeners: Listeners;
  showing: Rendering;
  /** Runs in a row in which the canaries failed while sites answered; absent where they were not asked. */
  failedCanaries?: number;
  /** True if the run learnt nothing about any site; absent if that is not known. */
  isBlind?: boolean;
  /** Milliseconds that a check covers at most. @default Half an hour */
  maxGap?: number;
  /** What is planned of maintenance; nothing where it is not given. */
  plans?: MaintenancePlans;
  /** Effects that are owed whatever is found. */
  owed?: readonly Effect[];
  /** Returns the present time, from which claims count; by default they count from the start of the run. */
  now?(): Temporal.Instant;
  /** Earlier pushes of the run, and the time of this decision; absent for its first push. */
  before?: RecordedBefore & { at: Temporal.Instant };
}

const NO_PLANS: MaintenancePlans = { configured: [], timezone: "UTC" };

/** Decides what a run means, and what of it is committed now and what waits. */
export function decide(
  state: HistoryState,
  results: readonly ProbeResult[],
  run: Run,
  options: DecideOptions,
): Decision {
  const { commitEvery, carriers, listeners, showing, failedCanaries: canaries, owed = [] } =
    options;
  const { plans = NO_PLANS, isBlind, maxGap = 30 * MINUTE, now = () => run.time } = options;
  const present = now();
  const { capabilities, recalled, logs, expired, exposed } = state;
  const { windows, ...planned } = planMaintenance(state, plans, run.time);
  const inMaintenance = siteWindows(windows, run.time);
  // Files of windows and of incidents are called alike, and lie in one folder.
  const incidentIds = new Set([...state.incidentIds, ...planned.changes.map(({ id }) => id)]);
  const { records, incidents, streaks, ...seen } = findOut(
    { ...state, incidentIds },
    results,
    run,
    inMaintenance,
    options.before,
  );
  const found = { ...seen, maintenance: planned.changes };
  const kept = { records, incidents };
  const { outcomes = [], rows: earlier = [] } = options.before ?? {};
  const shown = {
    ...kept,
    streaks,
    outcomes: [...outcomes, ...found.outcomes],
    rows: [...earlier, ...found.rows],
  };
  const summaryRun = { now: run.time, maxGap, windows: inMaintenance };
  // What cannot be committed would be news again in every run.
  const isShownAnew = capabilities.commits &&
    (showsOtherState(state, shown, summaryRun) || isChangedByHand(state, run) ||
      isAfterGap(state, run, maxGap));
  const news = {
    ...found,
    at: options.before?.at,
    streaks,
    isBlind,
    owed: planned.owed,
    isShownAnew,
  };
  const due = owedFor(state, news, listeners, { ...run, now: present });
  const effects = [...owed, ...due.effects];
  const before = recalled.memory;
  const inRef = takesRef(capabilities, before, run.time);
  // What stands on the branch goes once the ref is seen to hold it.
  const left = recalled.isBeside ? recalled.onBranch : [];
  const refused = before?.files ?? new Map<string, string>();
  const isNews = effects.length > 0 || state.unreadable.length > 0 || left.length > 0 ||
    state.removedAt !== undefined || (state.recovered?.size ?? 0) > 0 ||
    refused.size > 0 || found.abandoned.length > 0 || found.maintenance.length > 0 ||
    found.outcomes.some(isChange) || isShownAnew || exposed.size > 0;
  const commits = capabilities.commits &&
    (!inRef || isNews || isDue(before?.folded?.time, run.time, commitEvery));
  const lacking = lackingRows(logs, [...recalled.rows, ...found.rows]);
  const rows = [...lacking.values()].flat();
  const files = new Map<string, string | null>();
  if (commits) {
    for (const [path, own] of lacking) files.set(path, appendRows(logs.get(path), own));
  }
  const folded = commits ? new Set(rows.map(({ run }) => run)).size : 0;
  const waits = inRef && !commits;
  const memory: Memory = {
    run: run.id,
    time: run.time,
    folded: commits
      ? { run: run.id, time: run.time, rows: rows.filter((row) => row.run === run.id).length }
      : before?.folded,
    ...inRef || capabilities.pendingRef === "none"
      ? {}
      : { refused: capabilities.pendingRef === "refused" ? run.time : before!.refused! },
    rows: waits ? rows : [],
    files: capabilities.commits ? new Map() : new Map([
      ...refused,
      ...maintenanceFiles(found.maintenance),
      ...changedFiles(state, found, kept),
    ]),
    sites: Object.fromEntries(rememberedSites(state, streaks)),
    failedCanaries: canaries ?? before?.failedCanaries ?? 0,
    channels: due.channels,
    notices: due.notices,
    labels: before?.labels,
    timelines: before?.timelines,
    outbox: plan(forgetOld(due.outbox, run.time), effects, carriers, { ...run, now: present }),
  };
  const placed = placeMemory(memory, { inRef, left: inRef && !commits ? [] : left });
  // Outside of git files are written one by one, in this order: a run that is cut off leaves nothing
  // that the next does not make up for.
  for (const [path, text] of placed.files) files.set(path, text);
  if (commits) {
    const texts = [
      ...exposed,
      ...refused,
      ...maintenanceFiles(found.maintenance),
      ...filesOf(state, kept),
    ];
    for (const [path, text] of texts) files.set(path, text);
    for (const path of expired) if (!lacking.has(path)) files.set(path, null);
    for (const [path, text] of summaryFiles(state, shown, summaryRun, showing)) {
      files.set(path, text);
    }
  }
  const dueAt = commits || !capabilities.commits
    ? undefined
    : nextCommit(before!.folded!.time, commitEvery);
  return { ...found, effects, memory, folded, dueAt, pending: placed.pending, files };
}

/** True if somebody has started or ended maintenance by hand since the last run: the branch shows it already, the page does not. */
function isChangedByHand({ maintenance, recalled }: HistoryState, { time }: Run): boolean {
  const before = recalled.memory?.time;
  if (before === undefined) return false;
  const isSince = (moment: Temporal.Instant) =>
    Temporal.Instant.compare(before, moment) < 0 && Temporal.Instant.compare(moment, time) <= 0;
  return [...maintenance.values()].some(({ source, start, end = start }) =>
    source === "hand" && (isSince(start) || isSince(end))
  );
}

/** True if no run covered some time before this one, so that a page or README built then shows no state. */
function isAfterGap({ recalled }: HistoryState, { time }: Run, maxGap: number): boolean {
  const before = recalled.memory?.time;
  return before !== undefined && time.epochMilliseconds - before.epochMilliseconds > maxGap;
}

/** The checks that the branch lacks, each once, by the path of their log. */
function lackingRows(
  logs: ReadonlyMap<string, string>,
  rows: readonly CheckRow[],
): Map<string, CheckRow[]> {
  const byPath = Map.groupBy(rows, ({ time }) => checksPath(time));
  const lacking = [...byPath].map(([path, own]): [string, CheckRow[]] => [
    path,
    missingRows(logs.get(path), own),
  ]);
  return new Map(lacking.filter(([, own]) => own.length > 0));
}

/** What is remembered of each site that is still configured. */
function rememberedSites(
  { streaks: before, configured }: HistoryState,
  after: ReadonlyMap<string, Streak>,
): Map<string, Streak> {
  const all = [...before, ...after];
  return new Map(all.filter(([slug]) => configured?.has(slug) ?? true));
}

/**
 * Whether a commit is due though nothing changed: times are cut into pieces of equal length, those of an
 * hour at the hours of UTC, and each piece gets one. A clock that is set back is in another one as well.
 */
function isDue(
  last: Temporal.Instant | undefined,
  now: Temporal.Instant,
  every: number,
): boolean {
  if (last === undefined || every === 0) return true;
  return !nextCommit(last, every).equals(nextCommit(now, every));
}

/** When the next commit is due where nothing changes, after one at `last`; `every` in milliseconds, not 0. */
export function nextCommit(last: Temporal.Instant, every: number): Temporal.Instant {
  const piece = Math.floor(last.epochMilliseconds / every);
  return Temporal.Instant.fromEpochMilliseconds((piece + 1) * every);
}
