import { random } from "../doors/chance.ts";
import { fetchTip, peekTip, pushCommit, RemoteError } from "../doors/git/remote.ts";
import { commitOf, type Repository } from "../doors/git/repository.ts";
import { fastForward, moveBranch } from "../doors/git/move.ts";
import { buildCommit, snapshotOf, untrackedFiles } from "./git_snapshot.ts";
import { keptNotes, orNote, tidyUp } from "./branch_notes.ts";
import { commitLocally } from "./local_store.ts";
import type { Change, GitStoreOptions, Published, Snapshot, Store } from "./store.ts";

/** Pushes that come second before a run gives up. */
const RACES = 10;
/** Longest wait after a push that came second, in milliseconds. */
const LONGEST_WAIT = 5_000;
/** Waits after each push that nobody answered, in milliseconds; after one more, a run gives up. */
const PATIENCE = [500, 2_000, 4_000];

/** Keeps the history as commits on the branch of a remote. */
export class RemoteStore implements Store {
  readonly #repository: Repository;
  readonly #remote: NonNullable<Repository["remote"]>;
  readonly #options: GitStoreOptions;
  /** The tip that was read; the first push builds on it without asking again. */
  #tip?: string;
  /** Whether the branch has commits, and the remote does not have it. */
  #isUnpublished = false;

  constructor(
    repository: Repository,
    remote: NonNullable<Repository["remote"]>,
    options: GitStoreOptions,
  ) {
    this.#repository = repository;
    this.#remote = remote;
    this.#options = options;
  }

  get place(): string {
    const { name, branch } = this.#remote;
    return this.#isUnpublished
      ? `commits on ${this.#repository.branch}, which ${name} does not have yet`
      : `commits on ${branch} at ${name}`;
  }

  async read(): Promise<Snapshot> {
    const repository = this.#repository;
    if (!this.#options.readOnly) await tidyUp(repository, this.#options);
    try {
      return snapshotOf(repository, await this.#base());
    } catch (error) {
      if (!(error instanceof RemoteError)) throw error;
      this.#options.warn(`${error.message}; going on from what is known here`);
      const { name, branch } = this.#remote;
      const known = await commitOf(repository.git, `refs/remotes/${name}/${branch}`);
      return snapshotOf(repository, known ?? await commitOf(repository.git, "HEAD"));
    }
  }

  untracked(folder: string): Promise<string[]> {
    return untrackedFiles(this.#repository, folder);
  }

  async publish(decide: (snapshot: Snapshot) => Promise<Change>): Promise<Published> {
    const repository = this.#repository;
    const { git } = repository;
    let failures = 0;
    for (let attempt = 1; attempt <= RACES; attempt++) {
      let wait = Math.min(LONGEST_WAIT, 100 * 2 ** attempt) * (0.2 + 0.8 * random());
      try {
        const known = attempt === 1 ? this.#tip : undefined;
        const tip = known ?? await fetchTip(git, this.#remote);
        this.#isUnpublished = tip === undefined && await commitOf(git, "HEAD") !== undefined;
        if (this.#isUnpublished) return await this.#keepHere(decide);
        const change = await decide(snapshotOf(repository, tip));
        if (attempt > 1 && tip !== undefined && await isThere(repository, tip, change)) {
          return { commit: tip, place: this.place, notes: [] };
        }
        const commit = await buildCommit(repository, tip, change);
        if (await pushCommit(git, this.#remote, commit)) {
          const follow = () => this.#options.exclusively(() => this.#follow(tip, commit));
          return { commit, place: this.place, notes: await orNote(follow) };
        }
      } catch (error) {
        const patience = PATIENCE[failures++];
        if (!(error instanceof RemoteError) || !error.temporary || patience === undefined) {
          throw error;
        }
        wait = patience * (0.8 + 0.4 * random());
      }
      await this.#options.clock.wait(wait);
    }
    const { name, branch } = this.#remote;
    throw new RemoteError(
      `Cannot push to ${branch} at ${name}: others were faster ${RACES} times`,
      true,
    );
  }

  async #base(): Promise<string | undefined> {
    const ask = this.#options.readOnly ? peekTip : fetchTip;
    this.#tip = await ask(this.#repository.git, this.#remote);
    const head = this.#tip ?? await commitOf(this.#repository.git, "HEAD");
    this.#isUnpublished = this.#tip === undefined && head !== undefined;
    return head;
  }

  /** Commits locally: publishing a branch that the remote does not have is the user's to decide. */
  async #keepHere(decide: (snapshot: Snapshot) => Promise<Change>): Promise<Published> {
    const { name } = this.#remote;
    const { branch } = this.#repository;
    const published = await this.#options.exclusively(() =>
      commitLocally(this.#repository, decide)
    );
    const note =
      `${name} has no branch ${branch} yet, so this stays here until you push it: git push -u ${name} ${branch}`;
    return { ...published, place: this.place, notes: [note, ...published.notes] };
  }

  /** Brings the checked-out branch along, unless it holds work of the user. */
  async #follow(parent: string | undefined, commit: string): Promise<string[]> {
    const repository = this.#repository;
    const { git, branch } = repository;
    const stays = `your branch ${branch} stays where it is`;
    for (let attempt = 1; attempt <= RACES; attempt++) {
      const head = await commitOf(git, "HEAD");
      if (head !== undefined && await isAncestor(repository, commit, head)) return [];
      if (head !== undefined && head !== parent) {
        if (parent === undefined || !await isAncestor(repository, head, parent)) {
          return [`${stays}: it has commits that ${this.#remote.name} does not have`];
        }
        const forwarded = await fastForward(repository, head, parent);
        if (forwarded === undefined) continue;
        if (!forwarded) {
          return [`${stays}: files you have edited changed at ${this.#remote.name}`];
        }
      }
      const from = head === undefined ? undefined : parent;
      const notes = keptNotes(await moveBranch(repository, from, commit));
      if (notes !== undefined) return notes;
    }
    return [stays];
  }
}

/** Whether a push that seemed to fail arrived all the same. */
async function isThere(repository: Repository, tip: string, { files }: Change): Promise<boolean> {
  const present = await snapshotOf(repository, tip).read([...files.keys()]);
  return [...files].every(([path, text]) => present.get(path) === text);
}

async function isAncestor({ git }: Repository, older: string, newer: string): Promise<boolean> {
  const { code } = await git.run(["merge-base", "--is-ancestor", older, newer], { accept: [1] });
  return code === 0;
}
