import { coversMoment } from "../history/known_logs.ts";
import { refreshRecords } from "../history/run_state.ts";
import type { BufferedStore } from "../history/store/buffered_store.ts";
import type { Workspace } from "../io/workspace.ts";
import { isChange } from "./branch_files.ts";
import type { Decision } from "./decide.ts";
import {
  type HistoryState,
  isAfterPause,
  loadHistoryState,
  type OpenedHistory,
  type Scope,
} from "./history_state.ts";
import type { PublishedRun } from "./publish_run.ts";
import { readNewest } from "./uncommitted.ts";

/** The history between the runs of one process; read again only after more than checks without a change. */
export class KeptHistory {
  readonly #workspace: Workspace;
  readonly #store: BufferedStore;
  /** The state after the last run; absent if that has changed more than can be added here. */
  #state?: HistoryState;
  /** Slugs of the sites that asked in the last runs not to be checked for a while. */
  #resting = new Set<string>();

  constructor(workspace: Workspace, store: BufferedStore) {
    this.#workspace = workspace;
    this.#store = store;
  }

  /** Opens the history for a run, as `openHistory` does. */
  async open(scope: Scope): Promise<OpenedHistory> {
    const store = this.#store;
    const known = isAfterPause(this.#state?.loadedState.runState?.time, scope)
      ? undefined
      : this.#state;
    const isKnown = known !== undefined && coversMoment(known.logs, scope.time);
    if (isKnown && known.version === (await store.read()).version) {
      return { store, state: known, uncommitted: new Map() };
    }
    const { newest, uncommitted } = await readNewest(store, this.#workspace);
    return { store, state: await loadHistoryState(newest, scope), uncommitted };
  }

  /** Keeps the state that a run leaves, given the one that it started from. */
  keep(before: HistoryState, { decision, published }: PublishedRun): void {
    const streaks = Object.entries(decision.runState.sites);
    this.#resting = new Set(streaks.flatMap(([slug, { restUntil }]) => restUntil ? [slug] : []));
    const version = published?.version;
    this.#state = version === undefined || !isQuiet(decision)
      ? undefined
      : addChecks(before, decision, version);
  }

  /** True if a site may have asked not to be checked now. */
  mayRest(slug: string): boolean {
    return this.#resting.has(slug);
  }

  /** Forgets the state, because sites have changed. */
  forget(): void {
    this.#state = undefined;
  }

  /** Publishes the checks that wait on this machine, if there is a remote that takes them. */
  async flush(): Promise<void> {
    await this.#store.flush();
  }
}

/** True if a run added nothing but checks. */
function isQuiet(decision: Decision): boolean {
  const { files, outcomes, maintenance, abandoned, runState } = decision;
  return files.size === 0 && (runState.files?.size ?? 0) === 0 &&
    maintenance.length === 0 && abandoned.length === 0 && !outcomes.some(isChange);
}

/** The state after a quiet run, as {@linkcode loadHistoryState} would load it. */
function addChecks(
  before: HistoryState,
  { rows, runState }: Pick<Decision, "rows" | "runState">,
  version: string | undefined,
): HistoryState {
  const refreshed = refreshRecords(before.records, rows);
  return {
    ...before,
    version,
    records: new Map([...before.records, ...refreshed]),
    stale: new Set([...before.stale, ...refreshed.keys()]),
    streaks: new Map(Object.entries(runState.sites)),
    loadedState: {
      ...before.loadedState,
      runState,
      rows: runState.rows,
      isInRef: true,
      isRefMissing: false,
      isLost: false,
    },
    lostSince: undefined,
    runs: undefined,
  };
}
