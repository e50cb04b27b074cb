import type { ProbeResult, Streak } from "../evaluation/results.ts";
import type { Run } from "../history/checks_log.ts";
import { planLogs } from "../history/known_logs.ts";
import { goesIntoRef } from "../history/run_state.ts";
import {
  type MaintenanceChange,
  type MaintenancePlans,
  planMaintenance,
} from "../incidents/maintenance/plan_maintenance.ts";
import { listMutedSites } from "../incidents/acknowledgement/mutes.ts";
import type { ReadResponses } from "../incidents/acknowledgement/read_responses.ts";
import { siteWindows } from "../incidents/maintenance/windows.ts";
import type { ChannelAcknowledgement } from "../notifications/read_acknowledgements.ts";
import type { Effect, EffectHandlers } from "../outbox/effect.ts";
import { dropOld, enqueueEffects } from "../outbox/outbox.ts";
import type { Rendering } from "../statistics/api/badge.ts";
import { findLongGap } from "../statistics/run_gaps.ts";
import { HOUR, MINUTE } from "../time.ts";
import {
  changedRecordFiles,
  isChange,
  maintenanceFiles,
  recordFiles,
  summaryFiles,
} from "./branch_files.ts";
import { type Findings, type RecordedBefore, shareNewIncidents, toFindings } from "./findings.ts";
import type { HistoryState } from "./history_state.ts";
import { type EffectTargets, planEffects, withoutPlanned } from "./plan_effects.ts";
import type { Outcome } from "./outcomes.ts";
import { applyAllResponses } from "./respond.ts";
import { placeRunState, type RunState } from "./run_state.ts";

/** Additions of a run to the history: plain values, to be published or decided again. */
export interface Decision extends Omit<Findings, "records" | "incidents" | "streaks"> {
  maintenance: MaintenanceChange[];
  effects: Effect[];
  runState: RunState;
  /** Texts of the files that change on the branch, by path; `null` removes one. */
  files: Map<string, string | null>;
  /** Texts of the pending ref, by name; absent if the run state is on the branch. */
  pending?: Map<string, string>;
  /** Runs whose checks are flushed to the branch; 0 if they all stay pending. */
  flushedRuns: number;
  /** Time of the next flush if nothing changes before; absent if there is one now, or none is possible. */
  dueAt?: Temporal.Instant;
}

export interface DecideOptions {
  /** Milliseconds between two commits in which nothing changed; 0 if every run commits. */
  commitEvery: number;
  handlers: EffectHandlers;
  targets: EffectTargets;
  showing: Rendering;
  /** Runs in a row in which the canaries failed while sites answered; absent if they were not asked. */
  failedCanaries?: number;
  /** True if the run learnt nothing about any site; absent if that is not known. */
  isBlind?: boolean;
  /** Longest time that a check covers, in milliseconds. @default Half an hour */
  maxGap?: number;
  /** Results of locations that are used with this push, by location and shard; see `formatUsed`. */
  usedResults?: ReadonlyMap<string, string>;
  /** Schedule of the runs, and the shortest gap between them to notify of, in milliseconds; absent for none. */
  driftAlarm?: { schedule: string; least: number };
  plans?: MaintenancePlans;
  effects?: readonly Effect[];
  /** Responses of people to open incidents; absent if none were read. */
  responses?: ReadResponses;
  /** Acknowledgements of open incidents in channels. */
  acknowledgements?: readonly ChannelAcknowledgement[];
  /** Milliseconds that an acknowledgement lasts; 0 for as long as the outage. @default 4 hours */
  ackFor?: number;
  /** Time of the decision, from which claims count. @default Start of the run */
  now?: Temporal.Instant;
  /** Earlier pushes of the run, and the time of this decision; absent for its first push. */
  before?: RecordedBefore & { at: Temporal.Instant };
}

const NO_PLANS: MaintenancePlans = { configured: [], timezone: "UTC" };

/**
 * Decides what a run changes, without I/O: results become one `Outcome` per site (state, transition, incident),
 * outcomes become effects (`planEffects`), and everything becomes files of the branch and texts of the pending
 * ref. Without a change, checks stay pending until the next commit is due.
 */
export function decide(
  state: HistoryState,
  results: readonly ProbeResult[],
  run: Run,
  options: DecideOptions,
): Decision {
  const { commitEvery, handlers, targets, showing, before, isBlind } = options;
  const { plans = NO_PLANS, maxGap = 30 * MINUTE, now = run.time, ackFor = 4 * HOUR } = options;
  const { capabilities, loadedState, logs } = state;
  const { runState: previous } = loadedState;

  const { windows, changes: maintenance, effects: maintenanceEffects } = planMaintenance(
    state,
    plans,
    run.time,
  );
  const inMaintenance = siteWindows(windows, run.time);
  // Files of windows and of incidents share a folder and a form of name.
  const incidentIds = new Set([...state.incidentIds, ...maintenance.map(({ id }) => id)]);
  const concluded = toFindings({ ...state, incidentIds }, results, run, inMaintenance, before);
  const responded = applyAllResponses(state, concluded, options.responses, {
    now,
    ackFor,
    acknowledgements: options.acknowledgements,
  });
  const sharesIssues = targets.tracker.planShared !== undefined;
  const findings = sharesIssues
    ? shareNewIncidents(state, responded.findings, {
      earlier: before?.outcomes ?? [],
      time: run.time,
    })
    : responded.findings;
  const { records, incidents, streaks, ...found } = findings;
  const all = {
    ...findings,
    outcomes: [...before?.outcomes ?? [], ...found.outcomes],
    rows: [...before?.rows ?? [], ...found.rows],
  };
  const summaryRun = { now: run.time, maxGap, windows: inMaintenance };
  const summary = summaryFiles(state, all, summaryRun, showing);
  // If nothing can be committed, this would be true in every run.
  const isShownAnew = capabilities.commits &&
    (summary.isShownAnew || isChangedByHand(state, run) || isAfterGap(state, run, maxGap));
  const causes = {
    ...findings,
    maintenance,
    maintenanceEffects,
    at: before?.at,
    isBlind,
    isShownAnew,
    muted: listMutedSites(responded.mutes, now),
    gap: options.driftAlarm &&
      findLongGap(state.runs ?? [], { ...options.driftAlarm, to: run.time.epochMilliseconds }),
  };
  const planned = planEffects(state, causes, targets, { ...run, now });
  const answers = withoutPlanned(responded.effects, planned.outbox);
  const effects = [...options.effects ?? [], ...planned.effects, ...answers];

  const inRef = goesIntoRef(capabilities, previous, run.time);
  const movesToRef = inRef && loadedState.onBranch.length > 0;
  const refused = previous?.files ?? new Map<string, string>();
  const onlySitesChange = !movesToRef && refused.size === 0 &&
    !startsRest(state, found.outcomes) && state.unreadable.length === 0 &&
    (state.recovered?.size ?? 0) === 0;
  const hasChanged = isShownAnew || effects.length > 0 || maintenance.length > 0 ||
    found.abandoned.length > 0 || responded.hasChanged || found.outcomes.some(isChange) ||
    !onlySitesChange;
  const canWait = inRef || capabilities.keeps === true;
  const flushIsDue = !canWait || isDue(previous?.flushed?.time, run.time, commitEvery);
  const commits = capabilities.commits && (flushIsDue || hasChanged);
  // Something changes in nearly each run of a nested history: such a commit has only what has changed.
  const flushes = commits &&
    (flushIsDue || state.layout === "flat" || !inRef || !onlySitesChange || state.moved.size > 0);
  const pending = [...loadedState.rows, ...found.rows];
  const unflushed = planLogs(logs, flushes ? pending : []);
  const rows = flushes ? unflushed.rows : pending;
  const usedResults = options.usedResults === undefined
    ? previous?.locations ?? {}
    : Object.fromEntries(options.usedResults);
  const runState: RunState = {
    run: run.id,
    time: run.time,
    flushed: flushes ? { run: run.id, time: run.time } : previous?.flushed,
    ...inRef || capabilities.pendingRef === "none"
      ? {}
      : { refused: capabilities.pendingRef === "refused" ? run.time : previous!.refused! },
    rows: flushes ? [] : rows,
    files: capabilities.commits ? new Map() : new Map([
      ...refused,
      ...maintenanceFiles(maintenance),
      ...changedRecordFiles(state, found, findings),
    ]),
    sites: Object.fromEntries(configuredStreaks(state, streaks)),
    failedCanaries: options.failedCanaries ?? previous?.failedCanaries ?? 0,
    channels: planned.channels,
    notices: planned.notices,
    timelines: previous?.timelines,
    responses: options.responses?.state ?? previous?.responses,
    ...Object.keys(responded.mutes).length === 0 ? {} : { mutes: responded.mutes },
    ...Object.keys(usedResults).length === 0 ? {} : { locations: usedResults },
    outbox: enqueueEffects(dropOld(planned.outbox, run.time), effects, handlers, {
      ...run,
      now,
    }),
  };
  const placed = placeRunState(runState, {
    inRef: inRef || (canWait && !commits),
    layout: state.layout,
    onBranch: loadedState.onBranch,
  });
  // Outside of git files are written one by one in this order: a run that is killed leaves nothing that the
  // next one does not repair.
  const files = commits
    ? new Map<string, string | null>([
      ...unflushed.files,
      ...movesToRef ? loadedState.onBranch.map((path): [string, null] => [path, null]) : [],
      ...placed.files,
      ...refused,
      ...maintenanceFiles(maintenance),
      ...state.moved,
      ...flushes
        ? recordFiles(state, { records, incidents })
        : changedRecordFiles(state, found, findings),
      ...state.left.map((path): [string, null] => [path, null]),
      ...state.expired.filter((path) => !unflushed.files.has(path)).map((path): [string, null] => [
        path,
        null,
      ]),
      ...summary.files({ isPartial: !flushes }),
    ])
    : placed.files;
  return {
    ...found,
    maintenance,
    effects,
    runState,
    files,
    pending: placed.pending,
    flushedRuns: flushes ? new Set(rows.map(({ run }) => run)).size : 0,
    dueAt: flushes || !capabilities.commits
      ? undefined
      : nextCommit(previous!.flushed!.time, commitEvery),
  };
}

/** True if somebody has started or ended maintenance by hand since the last run. */
function isChangedByHand({ maintenance, loadedState }: HistoryState, { time }: Run): boolean {
  const before = loadedState.runState?.time;
  if (before === undefined) return false;
  const isSince = (moment: Temporal.Instant) =>
    Temporal.Instant.compare(before, moment) < 0 && Temporal.Instant.compare(moment, time) <= 0;
  return [...maintenance.values()].some(({ source, start, end = start }) =>
    source === "hand" && (isSince(start) || isSince(end))
  );
}

/** True if a site asks not to be checked for a while; its record says so before the next run has read the history. */
function startsRest({ records }: HistoryState, outcomes: readonly Outcome[]): boolean {
  return outcomes.some(({ result: { site, code, restUntil } }) =>
    restUntil !== undefined && records.get(site.slug)?.code !== code
  );
}

/** True if no run covered some time before this one, so that a page or README built then shows no state. */
function isAfterGap({ loadedState }: HistoryState, { time }: Run, maxGap: number): boolean {
  const before = loadedState.runState?.time;
  return before !== undefined && time.epochMilliseconds - before.epochMilliseconds > maxGap;
}

function configuredStreaks(
  { streaks: before, configured }: HistoryState,
  after: ReadonlyMap<string, Streak>,
): Map<string, Streak> {
  const all = [...before, ...after];
  return new Map(all.filter(([slug]) => configured?.has(slug) ?? true));
}

/** True if a commit is due without a change: one per interval, counted from 1970 in UTC. */
function isDue(last: Temporal.Instant | undefined, now: Temporal.Instant, every: number): boolean {
  if (last === undefined || every === 0) return true;
  return !nextCommit(last, every).equals(nextCommit(now, every));
}

/** Time of the next commit after one at `last` if nothing changes; `every` is in milliseconds, not 0. */
export function nextCommit(last: Temporal.Instant, every: number): Temporal.Instant {
  const interval = Math.floor(last.epochMilliseconds / every);
  return Temporal.Instant.fromEpochMilliseconds((interval + 1) * every);
}
