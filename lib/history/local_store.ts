import { commitOf, type Repository, RepositoryError } from "../doors/git/repository.ts";
import { finishMove, moveBranch } from "../doors/git/work_tree.ts";
import { buildCommit, snapshotOf } from "./git_snapshot.ts";
import type { Change, GitStoreOptions, Published, Snapshot, Store } from "./store.ts";

/** Times that the branch may move under a run before it gives up. */
const RACES = 10;

/** Keeps the history as commits on the branch that is checked out, where there is no remote. */
export class LocalStore implements Store {
  readonly place: string;
  readonly #repository: Repository;
  readonly #options: GitStoreOptions;

  constructor(repository: Repository, options: GitStoreOptions) {
    this.place = `commits on ${repository.branch}, there is no remote`;
    this.#repository = repository;
    this.#options = options;
  }

  async read(): Promise<Snapshot> {
    await this.#options.exclusively(() => finishMove(this.#repository));
    return snapshotOf(this.#repository, await commitOf(this.#repository.git, "HEAD"));
  }

  publish(decide: (snapshot: Snapshot) => Promise<Change>): Promise<Published> {
    const repository = this.#repository;
    return this.#options.exclusively(() => commitLocally(repository, decide));
  }
}

/** Commits a change on the branch that is checked out, and brings its files along. */
export async function commitLocally(
  repository: Repository,
  decide: (snapshot: Snapshot) => Promise<Change>,
): Promise<Published> {
  for (let attempt = 1; attempt <= RACES; attempt++) {
    const head = await commitOf(repository.git, "HEAD");
    const change = await decide(snapshotOf(repository, head));
    const commit = await buildCommit(repository, head, change);
    const kept = await moveBranch(repository, head, commit);
    if (kept !== undefined) return { commit, notes: keptNotes(kept) };
  }
  throw new RepositoryError(`Cannot commit to ${repository.branch}: it kept moving`);
}

/** What a person should know of their own edits. */
export function keptNotes(paths: readonly string[]): string[] {
  if (paths.length === 0) return [];
  return [`your edits were left alone in ${paths.join(", ")}; the commit holds the new text`];
}
