import type { EntryResult } from "../outbox/outbox.ts";
import { decide } from "./decide.ts";
import { executeClaimed, type ExecutionOptions } from "./execute_effects.ts";
import type { OpenedHistory } from "./history_state.ts";
import { noteExecuted, type PublishedRun, publishRun, type RunResults } from "./publish_run.ts";
import type { Turns } from "./turns.ts";

/** A run whose decision is made and, if possible, published. */
export interface StartedRun extends PublishedRun {
  /** Ends with the effects of the run, and the note on them. */
  executing: Promise<EntryResult[]>;
}

export interface RecordedRun extends PublishedRun {
  executed: EntryResult[];
}

export interface RecordOptions
  extends
    Omit<ExecutionOptions, "note">,
    Pick<RunResults, "run" | "options" | "recall" | "author"> {
  turns: Turns;
  /** True if nothing may be written or executed. */
  dryRun: boolean;
  /** Messages of the commits: of a decision, of files that no commit contains yet, and of executed effects. */
  messages: { decision: RunResults["message"]; uncommitted: string; executed: string };
}

/**
 * Records a run: decides from the newest state, publishes that in one push, and starts the effects, whose results are
 * noted in another push if there are any. It knows no other run, of this process or elsewhere, except by the store.
 */
export async function recordRun(
  { store, state, uncommitted, load }: OpenedHistory,
  results: RunResults["results"],
  options: RecordOptions,
): Promise<StartedRun> {
  const { run, turns, clock, dryRun, author, messages } = options;
  if (dryRun) {
    const decision = decide(state, results, run, {
      ...options.options,
      now: clock.now(),
      effects: [],
    });
    return { before: state, decision, claimed: [], executing: Promise.resolve([]) };
  }
  const published = await turns.take(() =>
    publishRun(store, {
      ...options,
      ...{ state, load, results },
      now: () => clock.now(),
      uncommitted: { files: uncommitted, message: messages.uncommitted },
      message: messages.decision,
    })
  );
  const note: ExecutionOptions["note"] = (executed) =>
    turns.take(() => noteExecuted(store, { ...executed, run, message: messages.executed, author }));
  return { ...published, executing: executeClaimed(published, { ...options, note }) };
}
