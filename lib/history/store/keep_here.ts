import { knownTips } from "../../git/fetch.ts";
import type { RemoteRepository } from "../../git/repository.ts";
import { commitLocally } from "./local_store.ts";
import type { Decide, GitStoreOptions, Published } from "./store.ts";

/**
 * Commits locally where the remote does not have the branch: publishing it, or following where it was
 * renamed, is the user's to decide.
 */
export async function keepHere(
  repository: RemoteRepository,
  decide: Decide,
  exclusively: GitStoreOptions["exclusively"],
): Promise<Omit<Published, "place">> {
  const { git, branch, remote } = repository;
  const published = await exclusively(() => commitLocally(repository, decide));
  const tracked = await knownTips(git, remote);
  const note = tracked.branch === undefined
    ? `${remote.name} has no branch ${branch} yet, so this stays here until you push it: git push -u ${remote.name} ${branch}`
    : `${remote.name} has no branch ${branch} any more, so this stays here; where it was renamed to NEW: git branch -m NEW; git fetch; git branch -u ${remote.name}/NEW`;
  return { ...published, notes: [note, ...published.notes] };
}
