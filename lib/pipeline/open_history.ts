import { openStore, type OpenStoreOptions } from "../history/store/open_store.ts";
import type { Store } from "../history/store/store.ts";
import { type HistoryState, loadState, type Scope } from "./state.ts";
import { readNewest } from "./uncommitted.ts";

/** The history of a folder as a run finds it. */
export interface OpenedHistory {
  store: Store;
  state: HistoryState;
  /** Files of it that no commit holds yet, as {@linkcode readNewest} finds them. */
  uncommitted: ReadonlyMap<string, string>;
}

/** What opening a history needs to know of the run. */
export interface OpenHistoryOptions extends OpenStoreOptions {
  scope: Scope;
}

/**
 * Opens the store of a folder, and reads what is known so far.
 *
 * @throws {RepositoryError} Where the repository is in a state in which nothing can be recorded.
 */
export async function openHistory(
  root: string,
  { scope, ...options }: OpenHistoryOptions,
): Promise<OpenedHistory> {
  const store = await openStore(root, options);
  const { newest, uncommitted } = await readNewest(store, options.workspace);
  return { store, uncommitted, state: await loadState(newest, scope) };
}
