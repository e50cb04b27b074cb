import {
  findCommit,
  listBlobs,
  makeCommits,
  type NewCommit,
  readBlobs,
} from "../../git/objects.ts";
import {
  fetchTips,
  knownTips,
  peekTips,
  PENDING_REF,
  push,
  type PushAnswer,
  RemoteError,
  retryPush,
  type Tips,
} from "../../git/remote.ts";
import type { RemoteRepository } from "../../git/repository.ts";
import { advanceBranch, finishMove, isAncestor, packObjects } from "../../git/work_tree.ts";
import { commitFiles, commitOnto } from "./commit_files.ts";
import { commitLocally, headSnapshot, trackFiles, untrackedFiles } from "./local_store.ts";
import { readLocationTexts } from "./location_texts.ts";
import type {
  Capabilities,
  Change,
  Decide,
  GitStoreOptions,
  PendingTexts,
  Published,
  SentText,
  Snapshot,
  Store,
} from "./store.ts";

interface View {
  snapshot: Snapshot;
  tree: PendingTree;
}

/** Stores the history as commits on the branch of a remote, and what is not flushed yet in the pending ref. */
export class RemoteStore implements Store {
  readonly #repository: RemoteRepository;
  readonly #options: GitStoreOptions;
  /** The remote's tips if its last answer is known; the next push builds on them without asking again. */
  #tips?: Tips;
  #view?: View;
  /** When the remote last answered, or was given up, in milliseconds of `clock.elapsed()`. */
  #askedAt = -Infinity;
  #capabilities: Capabilities = { takesRef: true, commits: true };
  #refusal?: string;
  /** True if the branch has commits, and the remote does not have it. */
  #isUnpublished = false;

  constructor(repository: RemoteRepository, options: GitStoreOptions) {
    this.#repository = repository;
    this.#options = options;
  }

  get place(): string {
    const { name, branch } = this.#repository.remote;
    return this.#isUnpublished
      ? `branch ${this.#repository.branch}, which ${name} does not have yet`
      : `branch ${branch} at ${name}`;
  }

  untracked(folder: string): Promise<string[]> {
    return untrackedFiles(this.#repository, folder);
  }

  track(paths: readonly string[]): Promise<void> {
    return trackFiles(this.#repository, paths);
  }

  async read(): Promise<Snapshot> {
    const { offline, readOnly, warn, clock, maxAge = 0, withLocations } = this.#options;
    const { git, remote } = this.#repository;
    if (offline) return await this.#readKnown();
    if (clock.elapsed() - this.#askedAt < maxAge) {
      if (this.#tips === undefined) return await this.#readKnown();
      if (this.#isUnpublished) return await headSnapshot(this.#repository);
      return (await this.#look(this.#tips)).snapshot;
    }
    try {
      this.#tips = await (readOnly ? peekTips : fetchTips)(git, remote, {
        withLocations: withLocations?.(),
      });
      if (await this.#findUnpublished(this.#tips)) return await headSnapshot(this.#repository);
      return (await this.#look(this.#tips)).snapshot;
    } catch (error) {
      if (!(error instanceof RemoteError)) throw error;
      warn(`${error.message}; using what was fetched before`);
      this.#tips = undefined;
      return await this.#readKnown();
    } finally {
      this.#askedAt = clock.elapsed();
    }
  }

  async readSent(): Promise<ReadonlyMap<string, readonly SentText[]>> {
    return await readLocationTexts(this.#repository, this.#tips?.locations);
  }

  /** The state as of the last fetch. */
  async #readKnown(): Promise<Snapshot> {
    const { git, remote } = this.#repository;
    const known = await knownTips(git, remote);
    if (known.branch !== undefined) return (await this.#look(known, { offline: true })).snapshot;
    const pending = { texts: new Map(), isUnknown: true };
    return { ...await headSnapshot(this.#repository), pending };
  }

  async publish(decide: Decide): Promise<Published> {
    const { git, remote } = this.#repository;
    let made: Tips = {};
    // A rule that protects the branch may be lifted while this process runs.
    this.#capabilities = { ...this.#capabilities, commits: true };
    this.#refusal = undefined;
    return await retryPush(
      `push to ${remote.branch} at ${remote.name}`,
      this.#options.clock,
      async () => {
        const tips = this.#tips ?? await fetchTips(git, remote, {
          withLocations: this.#options.withLocations?.(),
        });
        this.#tips = undefined;
        if (await this.#findUnpublished(tips)) return await this.#publishLocally(decide);
        const { snapshot, tree } = await this.#look(tips);
        const change = await decide(snapshot);
        if (change === undefined) {
          this.#tips = tips;
          return this.#published(made, await this.#follow());
        }
        made = await this.#makeCommits(tips, tree, change);
        const answer = await push(git, remote, {
          branch: made.branch ?? tips.branch,
          ...made.pending === undefined
            ? {}
            : { pending: { from: tips.pending, to: made.pending } },
        });
        if (answer.kind === "refused") this.#fallBack(answer);
        if (answer.kind !== "done") return answer.kind;
        this.#tips = { ...tips, ...made };
        return this.#published(made, await this.#follow());
      },
    );
  }

  async #findUnpublished({ branch }: Tips): Promise<boolean> {
    this.#isUnpublished = branch === undefined &&
      await findCommit(this.#repository.git, "HEAD") !== undefined;
    return this.#isUnpublished;
  }

  /** Commits locally: publishing a branch, or following one that was renamed, is up to the user. */
  async #publishLocally(decide: Decide): Promise<Published> {
    const { branch, remote: { name } } = this.#repository;
    const commit = await this.#options.exclusively(() => commitLocally(this.#repository, decide));
    const note =
      `${name} has no branch ${branch}, so this stays here until you push it: git push -u ${name} ${branch}`;
    return { commit, place: this.place, notes: [note] };
  }

  async #look(tips: Tips, { offline = false } = {}): Promise<View> {
    const capabilities = this.#capabilities;
    const { branch, pending } = tips;
    const isKnown = branch !== undefined || pending !== undefined;
    const version = isKnown
      ? JSON.stringify([{ branch, pending }, capabilities, offline])
      : undefined;
    if (version !== undefined && this.#view?.snapshot.version === version) return this.#view;
    const tree = await readPendingTree(this.#repository, tips.pending, { offline });
    const files = commitFiles(this.#repository, tips.branch);
    this.#view = { tree, snapshot: { version, capabilities, pending: tree.own, ...files } };
    return this.#view;
  }

  async #makeCommits(tips: Tips, tree: PendingTree, change: Change): Promise<Tips> {
    const { run: id, time, author } = change;
    const isCommitted = change.files.size > 0;
    const isPending = change.pending !== undefined;
    const names = await makeCommits(this.#repository, [
      ...isCommitted ? [commitOnto(this.#repository, tips.branch, change)] : [],
      ...isPending ? [pendingCommit(this.#repository, tree, change)] : [],
    ], { author, time, id });
    return {
      ...isCommitted ? { branch: names[0] } : {},
      ...isPending ? { pending: names.at(-1) } : {},
    };
  }

  /** Notes what the remote refuses: without the ref the run state is on the branch, without the branch in the ref. */
  #fallBack({ ref, reason }: PushAnswer & { kind: "refused" }): void {
    if (!this.#capabilities.commits || !this.#capabilities.takesRef) {
      throw this.#refused(this.#refusal ?? reason);
    }
    if (ref === "branch") {
      this.#refusal = reason;
      this.#capabilities = { takesRef: true, commits: false };
    } else this.#capabilities = { takesRef: false, commits: true };
  }

  #refused(reason: string): RemoteError {
    const { name, branch } = this.#repository.remote;
    return new RemoteError(
      `Cannot push to ${branch} at ${name}: the remote refused ${reason}`,
      false,
    );
  }

  #published({ branch: commit, pending }: Tips, notes: string[]): Published {
    const isPending = commit === undefined && pending !== undefined;
    return {
      commit,
      place: isPending ? `${PENDING_REF} at ${this.#repository.remote.name}` : this.place,
      notes,
      ...this.#refusal === undefined ? {} : { refused: this.#refused(this.#refusal) },
    };
  }

  /** Brings the checked-out branch to the remote's tip, unless it has commits or edits of the user. Returns notes. */
  async #follow(): Promise<string[]> {
    const { git, branch, remote } = this.#repository;
    const commit = this.#tips?.branch;
    if (commit === undefined) return [];
    const stays = `your branch ${branch} stays where it is`;
    return await this.#options.exclusively(async () => {
      const head = await findCommit(git, "HEAD");
      if (head !== undefined) await finishMove(this.#repository, head);
      if (head !== undefined && await isAncestor(git, commit, head)) return [];
      if (head !== undefined && !await isAncestor(git, head, commit)) {
        return [`${stays}: it has commits that ${remote.name} does not have`];
      }
      const advanced = await advanceBranch(this.#repository, head, commit);
      if (advanced.kind === "overtaken") return [`${stays}: it moved meanwhile`];
      if (advanced.kind === "blocked") return [`${stays}: ${advanced.reason}`];
      await packObjects(git);
      return [];
    });
  }
}

interface PendingTree {
  /** Names of the blobs of other branches and other monitored folders, by path. */
  others: ReadonlyMap<string, string>;
  own: PendingTexts;
}

/** The folder of a branch's texts: two branches, or two monitored folders, never share one. */
function toFolder({ prefix, remote }: RemoteRepository): string {
  return `${remote.branch}/${prefix}`;
}

/** Reads the pending ref. Offline, a missing ref means nothing: clones don't fetch it. */
async function readPendingTree(
  repository: RemoteRepository,
  commit: string | undefined,
  { offline }: { offline: boolean },
): Promise<PendingTree> {
  const { git } = repository;
  // Anything but a commit that somebody has put there is replaced.
  const isThere = commit !== undefined && await findCommit(git, commit) !== undefined;
  const blobs = isThere ? [...await listBlobs(git, commit)] : [];
  const folder = toFolder(repository);
  const isOwn = ([path]: [string, string]) =>
    path.startsWith(folder) && !path.slice(folder.length).includes("/");
  const names = blobs.filter(isOwn);
  const contents = await readBlobs(git, names.map(([, blob]) => blob));
  const texts = names.map(([path], index): [string, string] => [
    path.slice(folder.length),
    contents[index] ?? "",
  ]);
  return {
    others: new Map(blobs.filter((one) => !isOwn(one))),
    own: {
      texts: new Map(texts),
      ...isThere ? {} : { isEmpty: !offline },
      ...offline ? { isUnknown: true } : {},
    },
  };
}

/** The next commit of the pending ref: without a parent, so that old ones are not kept for ever. */
function pendingCommit(
  repository: RemoteRepository,
  { others }: PendingTree,
  { pending = new Map(), run }: Change,
): NewCommit {
  const folder = toFolder(repository);
  return {
    blobs: others,
    files: new Map([...pending].map(([name, text]) => [folder + name, text])),
    message: `Keep what run ${run} found until the next commit [skip ci]`,
  };
}
