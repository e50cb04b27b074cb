import type { Author } from "../git/objects.ts";
import { claimedBy, type Entry } from "../outbox/outbox.ts";
import type { Change, Published, Store } from "../history/store/store.ts";
import type { ProbeResult } from "../evaluation/results.ts";
import { checksPath, hasRun, missingRows, type Run } from "../history/checks_log.ts";
import { decide, type DecideOptions, type Decision } from "./decide.ts";
import { type HistoryState, loadState, type Scope } from "./state.ts";

/** What came of recording a run. */
export interface Recorded {
  decision: Decision;
  /** Absent where nothing was kept. */
  published?: Published;
  /** Why nothing was recorded, or not where it belongs. */
  failure?: NotRecordedError;
  /** What this run has to carry out. */
  owed: Entry[];
}

/** What a run found out could not be kept, or not where it belongs. */
export class NotRecordedError extends Error {
  override readonly name = "NotRecordedError";
  constructor(cause: unknown, place?: string) {
    const waits = place === undefined ? "" : `; they wait in ${place}`;
    super(
      `The results were not recorded: ${cause instanceof Error ? cause.message : cause}${waits}`,
      { cause },
    );
  }
}

/** What a run has to record, and how its commit looks. */
export interface RunToRecord {
  run: Run;
  results: readonly ProbeResult[];
  scope: Scope;
  /** What was known when the run began. */
  state: HistoryState;
  options: DecideOptions;
  /** Files of the history that are not committed yet, and the message of the commit that takes them in. */
  uncommitted: { files: ReadonlyMap<string, string>; message: string };
  message(decision: Decision): string;
  author: Author;
}

/**
 * Decides what a run means and publishes that, from a newer state where somebody else was faster. What it
 * planned itself is owed also where that could not be published: an alert waits for no remote.
 */
export async function recordRun(store: Store, work: RunToRecord): Promise<Recorded> {
  const { run, results, scope, state, options, uncommitted, author } = work;
  const first = decide(state, results, run, options);
  let decision = first;
  const changeOf = (files: Change["files"], message: string, pending?: Change["pending"]) => (
    { run: run.id, time: run.time, files, pending, message, author }
  );
  try {
    if (uncommitted.files.size > 0) {
      await store.publish(async (snapshot) => {
        const taken = await snapshot.read([...uncommitted.files.keys()]);
        const files = new Map([...uncommitted.files].filter(([path]) => !taken.has(path)));
        await store.track([...files.keys()]);
        return changeOf(files, uncommitted.message);
      });
    }
    let isFirst = true;
    const published = await store.publish(async (snapshot) => {
      const isSame = isFirst && snapshot.version !== undefined &&
        snapshot.version === state.version;
      const newest = isSame ? state : await loadState(snapshot, scope);
      if (!isFirst && hasArrived(decision, newest)) return undefined;
      if (!isSame) decision = decideAgain(decision, newest, work);
      isFirst = false;
      return changeOf(decision.files, work.message(decision), decision.pending);
    });
    const { refused, place } = published;
    return {
      decision,
      published,
      owed: claimedBy(decision.memory.outbox, run.id),
      ...refused === undefined ? {} : { failure: new NotRecordedError(refused, place) },
    };
  } catch (error) {
    const owed = claimedBy(decision.memory.outbox, run.id).filter(({ planned }) =>
      planned.equals(run.time)
    );
    return { decision, owed, failure: new NotRecordedError(error) };
  }
}

/** Whether a push that seemed to fail, or did so in part, has brought everything. */
function hasArrived(decision: Decision, newest: HistoryState): boolean {
  const { memory, rows } = newest.recalled;
  const known = new Set(memory?.outbox.map(({ id }) => id));
  if (memory === undefined || decision.effects.some(({ id }) => !known.has(id))) return false;
  const waiting = new Set(rows.map(({ run, slug }) => `${run} ${slug}`));
  return isOnBranch(decision, newest) ||
    (decision.folded === 0 &&
      decision.rows.every(({ run, slug }) => waiting.has(`${run} ${slug}`)));
}

/** Decides from a newer state; if the branch has these checks already, only what is to be remembered of them. */
function decideAgain(before: Decision, newest: HistoryState, work: RunToRecord): Decision {
  const { run, results, options } = work;
  if (!isOnBranch(before, newest)) return decide(newest, results, run, options);
  const { memory, files, pending } = decide(newest, [], run, { ...options, owed: before.effects });
  return { ...before, memory, files, pending };
}

function isOnBranch({ memory: { run, time }, rows }: Decision, { logs }: HistoryState): boolean {
  const log = logs.get(checksPath(time));
  return hasRun(log, run) && missingRows(log, rows).length === 0;
}
