import type { Site } from "../config/config.ts";
import type { Author } from "../doors/git/objects.ts";
import type { CheckResult } from "../verdict/judge.ts";
import { decide, type Decision, type Outcome, type Run } from "./decide.ts";
import { type HistoryState, loadState } from "./state.ts";
import type { Published, Store } from "./store.ts";

/** What came of recording a run. */
export interface Recorded {
  decision: Decision;
  /** Absent where nothing was recorded. */
  published?: Published;
  /** Why nothing was recorded, where it should have been. */
  failure?: unknown;
}

/** What a run has to record, and how its commit looks. */
export interface RunToRecord {
  run: Run;
  sites: readonly Site[];
  results: readonly CheckResult[];
  /** What was known when the run began. */
  state: HistoryState;
  message(outcomes: readonly Outcome[]): string;
  author: Author;
}

/** Decides what a run means and publishes that, from a newer state where somebody else was faster. */
export async function recordRun(store: Store, work: RunToRecord): Promise<Recorded> {
  const { run, sites, results, state, message, author } = work;
  let decision = decide(state, results, run);
  try {
    const published = await store.publish(async (snapshot) => {
      decision = decide(await loadState(snapshot, sites, run.time), results, run);
      const { files, outcomes } = decision;
      return { run: run.id, time: run.time, files, message: message(outcomes), author };
    });
    return { decision, published };
  } catch (failure) {
    return { decision, failure };
  }
}
