import { DetachedError, NO_GIT, openRepository } from "../../git/repository.ts";
import type { Workspace } from "../../io/workspace.ts";
import { filesStore } from "./files_store.ts";
import { LocalStore } from "./local_store.ts";
import { RemoteStore } from "./remote_store.ts";
import type { GitStoreOptions, Store } from "./store.ts";

/** Options for opening a store. */
export interface OpenStoreOptions extends Omit<GitStoreOptions, "exclusively"> {
  workspace: Workspace;
  /** A file that all runs of the folder share. */
  lock: string;
}

/**
 * Opens the store of a folder: commits if it belongs to a repository, plain files otherwise.
 *
 * @throws {RepositoryError} If the repository is in a state in which nothing can be recorded.
 */
export async function openStore(root: string, options: OpenStoreOptions): Promise<Store> {
  const { workspace, lock, ...rest } = options;
  const repository = await openRepository(root);
  if (repository === NO_GIT) {
    rest.warn("git is not on the PATH, so the history is kept as files and nothing is committed");
  }
  if (typeof repository === "string") return filesStore(workspace, lock, repository);
  const exclusively = <T>(action: () => Promise<T>) => workspace.exclusively(lock, action);
  const { remote } = repository;
  return remote === undefined
    ? new LocalStore(repository, { ...rest, exclusively })
    : new RemoteStore({ ...repository, remote }, { ...rest, exclusively });
}

/**
 * Opens the store of a folder; if no branch is checked out, one of the files in the folder.
 *
 * @throws {RepositoryError} If the repository can't be read.
 */
export async function openStoreOrFolder(
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
