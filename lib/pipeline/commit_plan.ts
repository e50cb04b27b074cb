import type { Run } from "../history/checks_log.ts";
import { isChange } from "./branch_files.ts";
import type { HistoryState } from "./history_state.ts";
import type { Outcome } from "./outcomes.ts";

/** Destinations of the state and the checks of a run: the branch, the pending ref, or neither yet. */
interface CommitPlan {
  /** True if the run state stays outside of the branch: in the ref, or on this machine until the next commit. */
  takesRef: boolean;
  /** True if the branch gets a commit, with all checks that are pending. */
  commits: boolean;
  /** Time of the next flush if nothing changes before; absent if there is one now, or none is possible. */
  dueAt?: Temporal.Instant;
}

/**
 * Decides whether a run commits: if something has changed, or if a commit is due. `changesMore` is true if more
 * changes than the states of sites.
 */
export function planCommit(
  state: HistoryState,
  outcomes: readonly Outcome[],
  { time }: Run,
  { commitEvery, changesMore }: { commitEvery: number; changesMore: boolean },
): CommitPlan {
  const { capabilities, loadedState } = state;
  const { runState: previous } = loadedState;
  const refused = previous?.files?.size ?? 0;
  const onlySitesChange = refused === 0 && !startsRest(state, outcomes) &&
    state.unreadable.length === 0 && state.recovered.size === 0;
  const canWait = capabilities.takesRef || capabilities.keeps === true;
  const isDue = !canWait || isCommitDue(previous?.flushed?.time, time, commitEvery);
  const commits = capabilities.commits &&
    (isDue || changesMore || outcomes.some(isChange) || !onlySitesChange);
  return {
    takesRef: capabilities.takesRef || (canWait && !commits),
    commits,
    dueAt: commits || !capabilities.commits
      ? undefined
      : nextCommit(previous!.flushed!.time, commitEvery),
  };
}

/** True if a site asks not to be checked for a while; its record says so before the next run has read the history. */
function startsRest({ records }: HistoryState, outcomes: readonly Outcome[]): boolean {
  return outcomes.some(({ result: { site, code, restUntil } }) =>
    restUntil !== undefined && records.get(site.slug)?.code !== code
  );
}

/**
 * True if a commit is due without a change: one per interval, counted from 1970 in UTC. A run that started in the
 * interval before is late, and needs none; one that started much earlier follows a wrong clock.
 */
function isCommitDue(
  last: Temporal.Instant | undefined,
  now: Temporal.Instant,
  every: number,
): boolean {
  if (last === undefined || every === 0) return true;
  const intervals = countIntervals(now, every) - countIntervals(last, every);
  return intervals > 0 || intervals < -1;
}

/** Time of the next commit after one at `last` if nothing changes; `every` is in milliseconds, not 0. */
export function nextCommit(last: Temporal.Instant, every: number): Temporal.Instant {
  return Temporal.Instant.fromEpochMilliseconds((countIntervals(last, every) + 1) * every);
}

function countIntervals(time: Temporal.Instant, every: number): number {
  return Math.floor(time.epochMilliseconds / every);
}
