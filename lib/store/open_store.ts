import { NoGitError } from "../doors/git/git.ts";
import { isIgnored, openRepository, type Repository } from "../doors/git/repository.ts";
import type { Workspace } from "../doors/workspace.ts";
import { filesStore } from "./files_store.ts";
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
  const repository = await findRepository(root, rest.warn);
  if (typeof repository === "string") return filesStore(workspace, lock, repository);
  const exclusively = <T>(action: () => Promise<T>) => workspace.exclusively(lock, action);
  const { remote } = repository;
  return remote === undefined
    ? new LocalStore(repository, { ...rest, exclusively })
    : new RemoteStore({ ...repository, remote }, { ...rest, exclusively });
}

/** The repository to commit to, or why there is none. */
async function findRepository(
  root: string,
  warn: (text: string) => void,
): Promise<Repository | string> {
  try {
    const repository = await openRepository(root);
    if (repository !== undefined) return repository;
    const ignored = await isIgnored(root);
    return ignored ? "the repository ignores this folder" : "there is no git repository here";
  } catch (error) {
    if (!(error instanceof NoGitError)) throw error;
    warn("git is not on the PATH, so the history is kept as files and nothing is committed");
    return "there is no git";
  }
}
