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
  failure?: NotRecordedError;
}

/** What a run found out could not be kept. */
export class NotRecordedError extends Error {
  override readonly name = "NotRecordedError";
  constructor(cause: unknown) {
    super(`The results were not recorded: ${cause instanceof Error ? cause.message : cause}`, {
      cause,
    });
  }
}

/** What a run has to record, and how its commit looks. */
export interface RunToRecord {
  run: Run;
  sites: readonly Site[];
  results: readonly CheckResult[];
  /** All sites of the configuration, also those that are not looked at; absent where it does not tell all. */
  configured?: readonly Site[];
  /** What was known when the run began. */
  state: HistoryState;
  /** Files of the history that are not committed yet, and the message of the commit that takes them in. */
  uncommitted: { files: ReadonlyMap<string, string>; message: string };
  message(outcomes: readonly Outcome[]): string;
  author: Author;
}

/** Decides what a run means and publishes that, from a newer state where somebody else was faster. */
export async function recordRun(store: Store, work: RunToRecord): Promise<Recorded> {
  const { run, sites, configured, results, state, uncommitted, message, author } = work;
  const { id, time } = run;
  const first = decide(state, results, run);
  let decision = first;
  try {
    if (uncommitted.files.size > 0) {
      await store.publish(async (snapshot) => {
        const taken = await snapshot.read([...uncommitted.files.keys()]);
        const files = new Map([...uncommitted.files].filter(([path]) => !taken.has(path)));
        return { run: id, time, files, message: uncommitted.message, author };
      });
    }
    const published = await store.publish(async (snapshot) => {
      const isSame = snapshot.commit !== undefined && snapshot.commit === state.commit;
      decision = isSame
        ? first
        : decide(await loadState(snapshot, sites, time, { configured }), results, run);
      const { files, outcomes } = decision;
      return { run: id, time, files, message: message(outcomes), author };
    });
    return { decision, published };
  } catch (error) {
    return { decision, failure: new NotRecordedError(error) };
  }
}
