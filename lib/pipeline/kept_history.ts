import { coversMoment } from "../history/known_logs.ts";
import { refreshRecords } from "../history/run_state.ts";
import type { BufferedStore } from "../history/store/buffered_store.ts";
import type { Snapshot } from "../history/store/store.ts";
import type { Workspace } from "../io/workspace.ts";
import { isChange } from "./branch_files.ts";
import type { Decision } from "./decide.ts";
import {
  type HistoryState,
  isAfterPause,
  isSame,
  loadHistoryState,
  type OpenedHistory,
  type Scope,
} from "./history_state.ts";
import type { PublishedRun } from "./record_run.ts";
import type { Turns } from "./turns.ts";
import { readNewest } from "./uncommitted.ts";

/** The history between the runs of one process; read again only after more than checks without a change. */
export class KeptHistory {
  readonly #workspace: Workspace;
  readonly #store: BufferedStore;
  readonly #turns: Turns;
  /** The newest state that is known here. */
  #state?: HistoryState;
  /** Slugs of the sites that asked in the last runs not to be checked for a while. */
  #resting = new Set<string>();

  constructor(workspace: Workspace, store: BufferedStore, turns: Turns) {
    this.#workspace = workspace;
    this.#store = store;
    this.#turns = turns;
  }

  /**
   * Opens the history for a run, without waiting for the pushes of others if any state is known: a run decides from
   * the newest one in any case.
   */
  async open(scope: Scope): Promise<OpenedHistory> {
    const load = (snapshot: Snapshot) => this.#load(snapshot, scope);
    if (this.#state !== undefined && !isAfterPause(lastRun(this.#state), scope)) {
      return { store: this.#store, state: this.#state, uncommitted: new Map(), load };
    }
    return await this.#turns.take(async () => {
      const { newest, uncommitted } = await readNewest(this.#store, this.#workspace);
      return { store: this.#store, state: await load(newest), uncommitted, load };
    });
  }

  async #load(snapshot: Snapshot, scope: Scope): Promise<HistoryState> {
    const known = this.#state;
    const isCurrent = known !== undefined && isSame(snapshot, known) &&
      coversMoment(known.logs, scope.time) && !isAfterPause(lastRun(known), scope);
    return isCurrent ? known : this.#state = await loadHistoryState(snapshot, scope);
  }

  /** Keeps the state that a run leaves: all of it if the run added nothing but checks, else what checks start from. */
  keep({ before, decision, published }: PublishedRun): void {
    const streaks = Object.entries(decision.runState.sites);
    this.#resting = new Set(streaks.flatMap(([slug, { restUntil }]) => restUntil ? [slug] : []));
    const state = addChecks(before, decision);
    this.#state = isQuiet(decision)
      ? { ...state, version: published?.version }
      : { ...state, version: undefined, records: new Map([...state.records, ...decision.records]) };
  }

  /** True if a site may have asked not to be checked now. */
  mayRest(slug: string): boolean {
    return this.#resting.has(slug);
  }
}

function lastRun({ loadedState }: HistoryState): Temporal.Instant | undefined {
  return loadedState.runState?.time;
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
): HistoryState {
  const refreshed = refreshRecords(before.records, rows);
  return {
    ...before,
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
