import { makeCommits } from "../../git/objects.ts";
import { commitOf, type Repository, RepositoryError } from "../../git/repository.ts";
import { keepHouse } from "../../git/upkeep.ts";
import { moveBranch } from "../../git/move.ts";
import { keptNotes, orNote, tidyUp } from "./branch_notes.ts";
import { commitOnto, localSnapshot, untrackedFiles } from "./git_snapshot.ts";
import { assertNoneInTheWay } from "./in_the_way.ts";
import type { Decide, GitStoreOptions, Published, Snapshot, Store } from "./store.ts";

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
    if (!this.#options.readOnly) await tidyUp(this.#repository, this.#options);
    return localSnapshot(this.#repository, await commitOf(this.#repository.git, "HEAD"));
  }

  untracked(folder: string): Promise<string[]> {
    return untrackedFiles(this.#repository, folder);
  }

  async publish(decide: Decide): Promise<Published> {
    const repository = this.#repository;
    const kept = await this.#options.exclusively(() => commitLocally(repository, decide));
    await keepHouse(repository.git);
    return { ...kept, place: this.place };
  }
}

/** Commits a change on the branch that is checked out, and brings its files along. */
export async function commitLocally(
  repository: Repository,
  decide: Decide,
): Promise<Omit<Published, "place">> {
  for (let attempt = 1; attempt <= RACES; attempt++) {
    const head = await commitOf(repository.git, "HEAD");
    const change = await decide(localSnapshot(repository, head));
    if (change === undefined) return { notes: [] };
    const { run: id, time, author } = change;
    const made = commitOnto(repository, head, change);
    await assertNoneInTheWay(repository.git, head, [...made.files.keys()]);
    const [commit] = await makeCommits(repository.git, [made], { author, time, id });
    const notes = await orNote(async () => keptNotes(await moveBranch(repository, head, commit!)));
    if (notes !== undefined) return { commit, notes };
  }
  throw new RepositoryError(`Cannot commit to ${repository.branch}: it kept moving`);
}
