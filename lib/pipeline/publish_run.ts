import type { ProbeResult } from "../evaluation/results.ts";
import type { Author } from "../git/objects.ts";
import type { Run } from "../history/checks_log.ts";
import { hasAllRows } from "../history/known_logs.ts";
import type { Change, Published, Snapshot, Store } from "../history/store/store.ts";
import { applyReceipts } from "../notifications/message_effects.ts";
import { type EffectResult, type Entry, selectClaimed, settle } from "../outbox/outbox.ts";
import { decide, type DecideOptions, type Decision } from "./decide.ts";
import type { HistoryState } from "./history_state.ts";
import { loadRunState, placeRunState } from "./run_state.ts";

interface DecidedRun {
  /** The history that the decision was made from. */
  before: HistoryState;
  decision: Decision;
}

export interface PublishedRun extends DecidedRun {
  /** Absent if nothing was stored. */
  published?: Published;
  /** The reason why nothing was recorded, or not on the branch. */
  failure?: NotRecordedError;
  claimed: Entry[];
}

/** The results of a run could not be stored, or not on the branch. */
class NotRecordedError extends Error {
  override readonly name = "NotRecordedError";
  constructor(cause: unknown, place?: string) {
    const waits = place === undefined ? "" : `; they wait in ${place}`;
    const message = cause instanceof Error ? cause.message : String(cause);
    const cure = CURES.find(([pattern]) => pattern.test(message))?.[1] ?? "";
    super(`The results were not recorded: ${message}${waits}${cure}`, { cause });
  }
}

/** Cures of failures, by patterns in their messages. */
const CURES: readonly (readonly [RegExp, string])[] = [
  [/no space left|quota exceeded|file too large/i, "; free space on the disk"],
  [
    /the remote refused|permission|denied|forbidden|\b40[13]\b|authentication|read-only/i,
    "; let this token or key push there (in a job: contents: write), or lift the rule that refuses it",
  ],
];

export interface RunResults {
  run: Run;
  results: readonly ProbeResult[];
  /** The history that the run was opened with; it decides if no newer one can be read. */
  state: HistoryState;
  /** Loads the history of a snapshot. */
  load(snapshot: Snapshot): Promise<HistoryState>;
  options: Omit<DecideOptions, "now" | "effects">;
  /** Returns the present time, from which the claims of each decision count. */
  now(): Temporal.Instant;
  /** Files of the history that no commit contains yet, and the message of the commit that adds them. */
  uncommitted: { files: ReadonlyMap<string, string>; message: string };
  /** Adds to a history what is known elsewhere of runs that could record nothing. */
  recall(state: HistoryState): Promise<HistoryState>;
  message(decision: Decision): string;
  author: Author;
}

/**
 * Decides what results mean and publishes that; if another run was faster, it decides again from the newer
 * state. Effects are returned even if that fails: an alert is sent even if the remote accepts nothing.
 */
export async function publishRun(store: Store, work: RunResults): Promise<PublishedRun> {
  const { run, state, uncommitted, author } = work;
  let decided: DecidedRun | undefined;
  const toChange = (files: Change["files"], message: string, pending?: Change["pending"]) => (
    { run: run.id, time: run.time, files, pending, message, author }
  );
  try {
    if (uncommitted.files.size > 0) {
      await store.publish(async (snapshot) => {
        const committed = await snapshot.read([...uncommitted.files.keys()]);
        const files = new Map([...uncommitted.files].filter(([path]) => !committed.has(path)));
        if (files.size === 0) return undefined;
        await store.track([...files.keys()]);
        return toChange(files, uncommitted.message);
      });
    }
    const published = await store.publish(async (snapshot) => {
      const loaded = await work.load(snapshot);
      const newest = snapshot.capabilities.isRefused ? await work.recall(loaded) : loaded;
      if (decided !== undefined && hasArrived(decided.decision, newest)) return undefined;
      decided = { before: newest, decision: decideFrom(newest, work, decided?.decision) };
      const { decision } = decided;
      const canWait = decision.files.size === 0 &&
        selectClaimed(decision.runState.outbox, run.id).length === 0;
      return {
        ...toChange(decision.files, work.message(decision), decision.pending),
        canWait,
      };
    });
    const { refused, place } = published;
    return {
      ...decided!,
      published,
      claimed: selectClaimed(decided!.decision.runState.outbox, run.id),
      ...refused === undefined ? {} : { failure: new NotRecordedError(refused, place) },
    };
  } catch (error) {
    const known = decided?.before ?? state;
    const before = await work.recall(known);
    const decision = decided === undefined || before !== known
      ? decideFrom(before, work, decided?.decision)
      : decided.decision;
    // An effect of an earlier run may be executed by another one that could publish its claim.
    const claimed = selectClaimed(decision.runState.outbox, run.id)
      .filter(({ planned }) => planned.equals(run.time));
    return { before, decision, claimed, failure: new NotRecordedError(error) };
  }
}

/** True if a push that seemed to fail has arrived. */
function hasArrived(decision: Decision, newest: HistoryState): boolean {
  const { runState, rows } = newest.loadedState;
  const known = new Set(runState?.outbox.map(({ id }) => id));
  if (runState === undefined || decision.effects.some(({ id }) => !known.has(id))) return false;
  const pending = new Set(rows.map(({ run, slug }) => `${run} ${slug}`));
  return isOnBranch(decision, newest) ||
    (decision.flushedRuns === 0 &&
      decision.rows.every(({ run, slug }) => pending.has(`${run} ${slug}`)));
}

/**
 * Decides from the newest state; if the branch has the checks of an earlier decision already, only the run state is
 * decided.
 */
function decideFrom(newest: HistoryState, work: RunResults, before?: Decision): Decision {
  const { run, results } = work;
  const options = { ...work.options, now: work.now(), effects: [] };
  if (before === undefined || !isOnBranch(before, newest)) {
    return decide(newest, results, run, options);
  }
  const again = decide(newest, [], run, { ...options, effects: before.effects });
  const { runState, files, pending } = again;
  return { ...before, runState, files, pending };
}

function isOnBranch({ runState: { run, time }, rows }: Decision, { logs }: HistoryState): boolean {
  return hasAllRows(logs, { id: run, time }, rows);
}

/** The entries of effects that were executed, as they were planned. */
function selectSent(outbox: readonly Entry[], results: readonly EffectResult[]): Entry[] {
  const sent = new Set(results.flatMap((one) => "receipt" in one ? [one.id] : []));
  return outbox.filter(({ id, done }) => done === undefined && sent.has(id));
}

/** Notes the results of effects in the run state, so that no later run executes them again. */
export async function noteExecuted(
  store: Store,
  { run, results, now, message, author }: {
    run: Run;
    results: readonly EffectResult[];
    now: Temporal.Instant;
    message: string;
    author: Author;
  },
): Promise<void> {
  await store.publish(async (snapshot) => {
    const { runState, rows } = await loadRunState(snapshot);
    const known = new Map(runState?.outbox.map((entry) => [entry.id, entry]));
    const nothingToNote = results.every(({ id }) => known.get(id)?.claim?.run !== run.id);
    if (runState === undefined || nothingToNote) return undefined;
    const outbox = settle(runState.outbox, results, now);
    const channels = applyReceipts(runState.channels ?? {}, selectSent(runState.outbox, results));
    const state = { ...runState, rows, outbox, channels };
    const { files, pending } = placeRunState(state, snapshot.capabilities);
    return { run: run.id, time: run.time, files, pending, message, author };
  });
}
