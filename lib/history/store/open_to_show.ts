import { DetachedError } from "../../git/repository.ts";
import { filesStore } from "./files_store.ts";
import { openStore, type OpenStoreOptions } from "./open_store.ts";
import type { Store } from "./store.ts";

/**
 * Opens the store of a folder whose history is shown: where no branch is checked out, what lies in the
 * folder is.
 *
 * @throws {RepositoryError} Where the repository is in another state in which it can't be read.
 */
export async function openToShow(
  root: string,
  options: OpenStoreOptions,
): Promise<{ store: Store; isDetached: boolean }> {
  try {
    return { store: await openStore(root, options), isDetached: false };
  } catch (error) {
    if (!(error instanceof DetachedError)) throw error;
    const { workspace, lock, warn } = options;
    warn("no branch is checked out (HEAD is detached), so this is what the folder holds");
    return { store: filesStore(workspace, lock, "no branch is checked out"), isDetached: true };
  }
}
