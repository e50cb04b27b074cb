import { computeMaxGap, type Config, type Site } from "../config/config.ts";
import { countFailedRuns } from "../evaluation/canaries.ts";
import { isBlind, type ProbeResult, type SiteWindows } from "../evaluation/results.ts";
import type { Run } from "../history/checks_log.ts";
import { planLogs } from "../history/known_logs.ts";
import {
  type MaintenanceChange,
  type MaintenancePlans,
  planMaintenance,
} from "../incidents/maintenance/plan_maintenance.ts";
import type { TimelineState } from "../incidents/read_comments.ts";
import type { ReadResponses } from "../incidents/acknowledgement/read_responses.ts";
import { closeAnnouncement } from "../incidents/maintenance/close_announcement.ts";
import { siteWindows } from "../incidents/maintenance/windows.ts";
import type { Effect } from "../outbox/effect.ts";
import { dropOld, enqueueEffects } from "../outbox/outbox.ts";
import { findLongGap, type LongGap } from "../statistics/run_gaps.ts";
import { changedRecordFiles, maintenanceFiles, recordFiles, summaryFiles } from "./branch_files.ts";
import { planCommit } from "./commit_plan.ts";
import { type Findings, shareNewIncidents, toFindings } from "./findings.ts";
import type { HistoryState } from "./history_state.ts";
import { type EffectTargets, planEffects, withoutPlanned } from "./plan_effects.ts";
import { applyAllResponses, type Responded } from "./respond.ts";
import { placeRunState, type RunState } from "./run_state.ts";

/** Additions of a run to the history: plain values, to be published or decided again. */
export interface Decision extends Omit<Findings, "incidents" | "streaks"> {
  /** True if nothing is monitored, because no site has a result. */
  isBlind: boolean;
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

/** Results of the checks of a run, and of its canaries. */
export interface RunResults {
  results: readonly ProbeResult[];
  /** True if most canaries failed; `undefined` if they were not asked. */
  haveCanariesFailed: boolean | undefined;
  /** Sites that this run checks, and those that other runs with the same configuration check. */
  watched: readonly Pick<Site, "slug" | "name">[];
  /** Adds the results of locations that this run uses to those that were used, by location and shard; see `formatUsed`. */
  addUsed(before: Readonly<Record<string, string>>): ReadonlyMap<string, string>;
}

/** Responses of people on GitHub, and the maintenance that they plan. */
export interface People {
  plans: MaintenancePlans;
  /** Write access in the repository, as the run has learnt it; `undefined` if GitHub was not asked. */
  access: Required<Pick<TimelineState, "repository" | "access">> | undefined;
  /** Responses to open incidents; `undefined` if none were read. */
  responses: ReadResponses | undefined;
}

/** Everything that a decision depends on besides the history and the results. */
export interface DecideOptions {
  run: Run;
  /** Time of the decision, for claims and windows of maintenance; the time of the run is the start of its checks. */
  now: Temporal.Instant;
  config: Config;
  targets: EffectTargets;
  people: People;
  /** Effects that an earlier decision of the same run has planned. */
  effects: readonly Effect[];
}

/**
 * Decides what a run changes, without I/O: results become one `Outcome` per site (state, transition, incident),
 * outcomes become effects (`planEffects`), and everything becomes files of the branch and texts of the pending
 * ref. Without a change, checks stay pending until the next commit is due.
 */
export function decide(
  state: HistoryState,
  { results, haveCanariesFailed, watched, addUsed }: RunResults,
  options: DecideOptions,
): Decision {
  const { run, now, config, targets, people } = options;
  // A run that ends late must not undo what a newer one has begun or ended.
  const maintenance = planMaintenance(state, people.plans, now);
  const { findings, ...responded } = conclude(state, results, maintenance, options);
  const { records, incidents, streaks: changed, ...found } = findings;
  const streaks = new Map([...state.streaks, ...changed]);
  const blind = isBlind(watched, streaks, run.time);
  const windows = siteWindows(maintenance.windows, now);
  const summary = summarize(state, findings, windows, options);
  const planned = planEffects(
    state,
    {
      ...findings,
      streaks,
      maintenance: maintenance.changes,
      maintenanceEffects: maintenance.over.map((one) =>
        closeAnnouncement(one, { timezone: config.timezone, language: targets.language })
      ),
      watched,
      isBlind: blind,
      isShownAnew: summary.isShownAnew,
      windows,
      mutes: responded.mutes,
      gap: findGap(state, run, config),
    },
    targets,
    { time: run.time, now },
  );
  const effects = [
    ...options.effects,
    ...planned.effects,
    ...withoutPlanned(responded.effects, planned.outbox),
  ];

  const changesMore = summary.isShownAnew || effects.length > 0 || responded.hasChanged ||
    maintenance.changes.length > 0 || found.abandoned.length > 0;
  const { commitEvery } = config.history;
  const commit = planCommit(state, found.outcomes, run, { commitEvery, changesMore });
  const pendingRows = [...state.loadedState.rows, ...found.rows];
  const logs = planLogs(state.logs, commit.commits ? pendingRows : []);
  const rows = commit.commits ? logs.rows : pendingRows;
  const changedFiles = changedRecordFiles(state, found, findings);
  const { capabilities, loadedState } = state;
  const { runState: previous } = loadedState;
  const refused = previous?.files ?? new Map<string, string>();
  const usedResults = Object.fromEntries(addUsed(previous?.locations ?? {}));
  const runState: RunState = {
    run: run.id,
    time: run.time,
    flushed: commit.commits ? { run: run.id, time: run.time } : previous?.flushed,
    rows: commit.commits ? [] : rows,
    files: capabilities.commits ? new Map() : new Map([
      ...refused,
      ...maintenanceFiles(maintenance.changes),
      ...changedFiles,
    ]),
    sites: Object.fromEntries(
      [...streaks].filter(([slug]) => state.configured?.has(slug) ?? true),
    ),
    failedCanaries: countFailedRuns(previous?.failedCanaries ?? 0, haveCanariesFailed, results),
    channels: planned.channels,
    notices: planned.notices,
    timelines: people.access === undefined
      ? previous?.timelines
      : { ...previous?.timelines, ...people.access },
    responses: people.responses?.state ?? previous?.responses,
    ...Object.keys(responded.mutes).length === 0 ? {} : { mutes: responded.mutes },
    ...Object.keys(usedResults).length === 0 ? {} : { locations: usedResults },
    outbox: enqueueEffects(dropOld(planned.outbox, run.time), effects, targets.handlers, {
      ...run,
      now,
    }),
  };
  const placed = placeRunState(runState, commit);
  // Outside of git files are written one by one in this order: a run that is killed leaves nothing that the
  // next one does not repair.
  const files = commit.commits
    ? new Map<string, string | null>([
      ...logs.files,
      ...removals(loadedState.onBranch),
      ...placed.files,
      ...refused,
      ...maintenanceFiles(maintenance.changes),
      ...recordFiles(state, { records, incidents }),
      ...removals(state.expired.filter((path) => !logs.files.has(path))),
      ...summary.files(),
    ])
    : placed.files;
  return {
    ...found,
    isBlind: blind === true,
    records,
    maintenance: maintenance.changes,
    effects,
    runState,
    files,
    pending: placed.pending,
    flushedRuns: commit.commits ? new Set(rows.map(({ run }) => run)).size : 0,
    dueAt: commit.dueAt,
  };
}

/** Turns results into findings, and applies what people have responded to open incidents. */
function conclude(
  state: HistoryState,
  results: readonly ProbeResult[],
  { changes }: ReturnType<typeof planMaintenance>,
  { run, now, config: { ackFor }, targets, people }: DecideOptions,
): Responded {
  const atChecks = planMaintenance(state, people.plans, run.time);
  // Files of windows and of incidents share a folder and a form of name.
  const incidentIds = new Set([...state.incidentIds, ...changes.map(({ id }) => id)]);
  const windows = siteWindows(atChecks.windows, run.time);
  const found = toFindings({ ...state, incidentIds }, results, run, windows);
  const responded = applyAllResponses(state, found, people.responses, { now, ackFor });
  if (targets.tracker.planShared === undefined) return responded;
  return { ...responded, findings: shareNewIncidents(state, responded.findings, run.time) };
}

/** Makes the summary of all sites. */
function summarize(
  state: HistoryState,
  findings: Findings,
  windows: SiteWindows,
  { run, config, targets: { drawBadge } }: DecideOptions,
) {
  const maxGap = computeMaxGap(config);
  const { groups } = config;
  const options = { groups, now: run.time, maxGap, windows };
  const summary = summaryFiles(state, findings, options, drawBadge);
  // If nothing can be committed, this would be true in every run.
  const isShownAnew = state.capabilities.commits &&
    (summary.isShownAnew || isChangedByHand(state, run) || isAfterGap(state, run, maxGap));
  return { ...summary, isShownAnew };
}

/** The time without checks that a run has ended, if channels are notified of it. */
export function findGap(
  { runs = [] }: HistoryState,
  { time }: Run,
  { driftAlarm: least, workflowSchedule: { uptime: schedule } }: Config,
): LongGap | undefined {
  if (least === false) return undefined;
  return findLongGap(runs, { schedule, least, to: time.epochMilliseconds });
}

function removals(paths: readonly string[]): [path: string, text: null][] {
  return paths.map((path) => [path, null]);
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

/** True if no run covered some time before this one, so that a page or README built then shows no state. */
function isAfterGap({ loadedState }: HistoryState, { time }: Run, maxGap: number): boolean {
  const before = loadedState.runState?.time;
  return before !== undefined && time.epochMilliseconds - before.epochMilliseconds > maxGap;
}
