import type { Clock } from "../doors/clock.ts";
import { listFolder, makeCommit, readFiles } from "../doors/git/objects.ts";
import { fetchTip, pushCommit, RemoteError } from "../doors/git/remote.ts";
import { commitOf, type Repository } from "../doors/git/repository.ts";
import { fastForward, finishMove, moveBranch } from "../doors/git/work_tree.ts";
import type { Change, Published, Snapshot, Store } from "./store.ts";

/** What the store needs beside the repository. */
export interface GitStoreOptions {
  clock: Clock;
  /** Runs an action while no other run of this folder does. */
  exclusively<T>(action: () => Promise<T>): Promise<T>;
  /** Tells of trouble that the store gets over. */
  warn(text: string): void;
}

/** Pushes that come second before a run gives up. */
const RACES = 10;
/** Pushes without an answer before a run gives up. */
const FAILURES = 3;
/** Longest wait before the next try, in milliseconds. */
const LONGEST_WAIT = 5_000;

/** Keeps the history as commits on the branch: at the remote where there is one, else locally. */
export function gitStore(repository: Repository, options: GitStoreOptions): Store {
  return repository.remote === undefined
    ? new LocalStore(repository, options)
    : new RemoteStore(repository, repository.remote, options);
}

class LocalStore implements Store {
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

async function commitLocally(
  repository: Repository,
  decide: (snapshot: Snapshot) => Promise<Change>,
): Promise<Published> {
  for (let attempt = 1; attempt <= RACES; attempt++) {
    const head = await commitOf(repository.git, "HEAD");
    const change = await decide(snapshotOf(repository, head));
    const commit = await build(repository, head, change);
    const kept = await moveBranch(repository, head, commit);
    if (kept !== undefined) return { commit, notes: keptNotes(kept) };
  }
  throw new RemoteError(`Cannot commit to ${repository.branch}: it kept moving`, false);
}

class RemoteStore implements Store {
  readonly place: string;
  readonly #repository: Repository;
  readonly #remote: NonNullable<Repository["remote"]>;
  readonly #options: GitStoreOptions;

  constructor(
    repository: Repository,
    remote: NonNullable<Repository["remote"]>,
    options: GitStoreOptions,
  ) {
    this.place = `commits on ${remote.branch} at ${remote.name}`;
    this.#repository = repository;
    this.#remote = remote;
    this.#options = options;
  }

  async read(): Promise<Snapshot> {
    const repository = this.#repository;
    await this.#options.exclusively(() => finishMove(repository));
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

  async publish(decide: (snapshot: Snapshot) => Promise<Change>): Promise<Published> {
    const repository = this.#repository;
    const { git } = repository;
    let failures = 0;
    for (let attempt = 1; attempt <= RACES; attempt++) {
      try {
        const tip = await fetchTip(git, this.#remote);
        if (tip === undefined && await commitOf(git, "HEAD") !== undefined) {
          return await this.#unpublished(decide);
        }
        const change = await decide(snapshotOf(repository, tip));
        if (tip !== undefined && await isThere(repository, tip, change)) {
          return { commit: tip, notes: [] };
        }
        const commit = await build(repository, tip, change);
        if (await pushCommit(git, this.#remote, commit)) {
          return {
            commit,
            notes: await this.#options.exclusively(() => this.#follow(tip, commit)),
          };
        }
      } catch (error) {
        if (!(error instanceof RemoteError) || !error.temporary || ++failures === FAILURES) {
          throw error;
        }
      }
      const wait = Math.min(LONGEST_WAIT, 100 * 2 ** attempt) * (0.2 + 0.8 * Math.random());
      await this.#options.clock.wait(wait, new AbortController().signal);
    }
    const { name, branch } = this.#remote;
    throw new RemoteError(
      `Cannot push to ${branch} at ${name}: others were faster ${RACES} times`,
      true,
    );
  }

  async #base(): Promise<string | undefined> {
    const tip = await fetchTip(this.#repository.git, this.#remote);
    return tip ?? await commitOf(this.#repository.git, "HEAD");
  }

  /** The branch has commits and the remote does not have it: publishing them is the user's to decide. */
  async #unpublished(decide: (snapshot: Snapshot) => Promise<Change>): Promise<Published> {
    const { name } = this.#remote;
    const { branch } = this.#repository;
    const published = await this.#options.exclusively(() =>
      commitLocally(this.#repository, decide)
    );
    const note =
      `${name} has no branch ${branch} yet, so this stays here until you push it: git push -u ${name} ${branch}`;
    return { ...published, notes: [note, ...published.notes] };
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
        if (!await fastForward(repository, head, parent)) {
          return [`${stays}: files you have edited changed at ${this.#remote.name}`];
        }
      }
      const kept = await moveBranch(repository, head === undefined ? undefined : parent, commit);
      if (kept !== undefined) return keptNotes(kept);
    }
    return [stays];
  }
}

function snapshotOf({ git, prefix }: Repository, commit: string | undefined): Snapshot {
  return {
    async read(paths) {
      if (commit === undefined || paths.length === 0) return new Map();
      const files = await readFiles(git, commit, paths.map((path) => prefix + path));
      return new Map([...files].map(([path, text]) => [path.slice(prefix.length), text]));
    },
    list: (folder) =>
      commit === undefined ? Promise.resolve([]) : listFolder(git, commit, prefix + folder),
  };
}

function build(
  { git, prefix }: Repository,
  parent: string | undefined,
  change: Change,
): Promise<string> {
  return makeCommit(git, {
    parent,
    files: new Map([...change.files].map(([path, text]) => [prefix + path, text])),
    message: change.message,
    author: change.author,
    time: change.time,
    id: change.run,
  });
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

function keptNotes(paths: readonly string[]): string[] {
  if (paths.length === 0) return [];
  return [`your edits were left alone in ${paths.join(", ")}; the commit holds the new text`];
}
