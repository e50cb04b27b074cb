import type { Config } from "../config/config.ts";
import type { Author } from "../git/objects.ts";
import type { Run } from "../history/checks_log.ts";
import { hasAllRows } from "../history/known_logs.ts";
import type { Change, Published } from "../history/store/store.ts";
import type { Clock } from "../io/clock.ts";
import { applyReceipts } from "../notifications/message_effects.ts";
import {
  type EffectResult,
  type Entry,
  type EntryResult,
  selectClaimed,
  settle,
  toEntryResults,
} from "../outbox/outbox.ts";
import { decide, type Decision, type People, type RunResults } from "./decide.ts";
import { executeClaimed } from "./execute_effects.ts";
import type { HistoryState, OpenedHistory } from "./history_state.ts";
import type { EffectTargets } from "./plan_effects.ts";
import { changeRunState, type RunState } from "./run_state.ts";
import type { Turns } from "./turns.ts";

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

/** A run whose decision is made and, if possible, published. */
export interface StartedRun extends PublishedRun {
  /** Ends with the effects of the run, and the note on them. */
  executing: Promise<EntryResult[]>;
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

interface RecorderOptions {
  config: Config;
  targets: EffectTargets;
  people: People;
  clock: Clock;
  turns: Turns;
  /** True if nothing may be written or executed. */
  dryRun: boolean;
  author: Author;
  /** Messages of the commits: of a decision, of files that no commit contains yet, and of executed effects. */
  messages: { decision(decision: Decision): string; uncommitted: string; executed: string };
  redact(text: string): string;
  /** Adds to a history what is known elsewhere of runs that could record nothing. */
  recall(state: HistoryState): Promise<HistoryState>;
  /** Called if the results of effects could not be noted. */
  onUnnoted(error: Error): void;
}

/** Records runs in a history. Each knows no other run, of this process or elsewhere, except by the store. */
export class Recorder {
  constructor(readonly opened: OpenedHistory, readonly options: RecorderOptions) {}

  /**
   * Decides from the newest state, publishes that in one push, and starts the effects, whose results are noted in another
   * push if there are any.
   */
  async record(run: Run, results: RunResults): Promise<StartedRun> {
    const { turns, dryRun } = this.options;
    if (dryRun) {
      const { state } = this.opened;
      const decision = this.#decide(state, results, run);
      return { before: state, decision, claimed: [], executing: Promise.resolve([]) };
    }
    const published = await turns.take(() => this.#publish(run, results));
    return { ...published, executing: this.#execute(run, published) };
  }

  /**
   * Publishes a decision; if another run was faster, decides again from the newer state. Effects are returned even if that
   * fails: an alert is sent even if the remote accepts nothing.
   */
  async #publish(run: Run, results: RunResults): Promise<PublishedRun> {
    const { store, state, load } = this.opened;
    const { messages, recall } = this.options;
    let decided: DecidedRun | undefined;
    try {
      await this.#publishUncommitted(run);
      const published = await store.publish(async (snapshot) => {
        const loaded = await load(snapshot);
        const newest = snapshot.capabilities.isRefused ? await recall(loaded) : loaded;
        if (decided !== undefined && hasArrived(decided.decision, newest)) return undefined;
        decided = { before: newest, decision: this.#decide(newest, results, run, decided) };
        const { decision } = decided;
        const canWait = decision.files.size === 0 &&
          selectClaimed(decision.runState.outbox, run.id).length === 0;
        const { files, pending } = decision;
        return { ...this.#toChange(run, messages.decision(decision), files), pending, canWait };
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
      const before = await recall(known);
      const decision = decided === undefined || before !== known
        ? this.#decide(before, results, run, decided)
        : decided.decision;
      // An effect of an earlier run may be executed by another one that could publish its claim.
      const claimed = selectClaimed(decision.runState.outbox, run.id)
        .filter(({ planned }) => planned.equals(run.time));
      return { before, decision, claimed, failure: new NotRecordedError(error) };
    }
  }

  /** Publishes the files of the history that no commit contains yet. */
  async #publishUncommitted(run: Run): Promise<void> {
    const { store, uncommitted } = this.opened;
    if (uncommitted.size === 0) return;
    await store.publish(async (snapshot) => {
      const committed = await snapshot.read([...uncommitted.keys()]);
      const files = new Map([...uncommitted].filter(([path]) => !committed.has(path)));
      if (files.size === 0) return undefined;
      await store.track([...files.keys()]);
      return this.#toChange(run, this.options.messages.uncommitted, files);
    });
  }

  #toChange(run: Run, message: string, files: Change["files"]): Change {
    return { run: run.id, time: run.time, files, message, author: this.options.author };
  }

  /**
   * Decides from the newest state; if the branch has the checks of an earlier decision already, only the run state is
   * decided.
   */
  #decide(newest: HistoryState, results: RunResults, run: Run, earlier?: DecidedRun): Decision {
    const { config, targets, people, clock } = this.options;
    const options = { run, now: clock.now(), config, targets, people, effects: [] };
    const before = earlier?.decision;
    if (before === undefined || !isOnBranch(before, newest)) {
      return decide(newest, results, options);
    }
    const { effects } = before;
    const again = decide(newest, { ...results, results: [] }, { ...options, effects });
    const { runState, files, pending } = again;
    return { ...before, runState, files, pending };
  }

  /** Executes the effects that a run has claimed, and notes their results once all have ended. */
  async #execute(
    run: Run,
    { decision, claimed, published }: PublishedRun,
  ): Promise<EntryResult[]> {
    const { targets, clock, turns, redact, author, messages, onUnnoted } = this.options;
    const { results: all, bugs } = await executeClaimed(
      claimed,
      decision.runState.outbox,
      targets,
      clock,
    );
    const results = all.map((one) =>
      "failure" in one ? { ...one, failure: redact(one.failure) } : one
    );
    const now = clock.now();
    if (published !== undefined && results.length > 0) {
      const commit = { run, message: messages.executed, author };
      await turns.take(() =>
        changeRunState(this.opened.store, commit, (before) => note(before, run, results, now))
      ).catch(onUnnoted);
    }
    if (bugs.length > 0) throw bugs[0];
    return toEntryResults(claimed, results, now);
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

function isOnBranch({ runState: { run, time }, rows }: Decision, { logs }: HistoryState): boolean {
  return hasAllRows(logs, { id: run, time }, rows);
}

/** The entries of effects that were executed, as they were planned. */
function selectSent(outbox: readonly Entry[], results: readonly EffectResult[]): Entry[] {
  const sent = new Set(results.flatMap((one) => "receipt" in one ? [one.id] : []));
  return outbox.filter(({ id, done }) => done === undefined && sent.has(id));
}

/** Notes the results of effects in the run state, so that no later run executes them again. */
function note(
  { outbox, channels = {} }: RunState,
  run: Run,
  results: readonly EffectResult[],
  now: Temporal.Instant,
): Partial<RunState> | undefined {
  const known = new Map(outbox.map((entry) => [entry.id, entry]));
  if (results.every(({ id }) => known.get(id)?.claim?.run !== run.id)) return undefined;
  return {
    outbox: settle(outbox, results, now),
    channels: applyReceipts(channels, selectSent(outbox, results)),
  };
}
