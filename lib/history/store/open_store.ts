import type { Workspace } from "../../io/workspace.ts";
import { filesStore } from "./files_store.ts";
import { findRepository, NO_GIT } from "./find_repository.ts";
import { LocalStore } from "./local_store.ts";
import { RemoteStore } from "./remote_store.ts";
import type { GitStoreOptions, Store } from "./store.ts";

/** What opening a store needs: `lock` names a file that all runs of the folder share. */
export interface OpenStoreOptions extends Omit<GitStoreOptions, "exclusively"> {
  workspace: Workspace;
  lock: string;
}

/**
 * The store of a folder: commits where it belongs to a repository, plain files elsewhere.
 *
 * @throws {RepositoryError} Where the repository is in a state in which nothing can be recorded.
 */
export async function openStore(root: string, options: OpenStoreOptions): Promise<Store> {
  const { workspace, lock, ...rest } = options;
  const repository = await findRepository(root);
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
