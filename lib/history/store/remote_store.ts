import { random } from "../../io/chance.ts";
import {
  fetchTips,
  knownTips,
  peekTips,
  PENDING_REF,
  remoteBranches,
  type Tips,
} from "../../git/fetch.ts";
import type { PushAnswer } from "../../git/push.ts";
import { RemoteError } from "../../git/remote_error.ts";
import { commitOf, type RemoteRepository } from "../../git/repository.ts";
import { keepHouse } from "../../git/upkeep.ts";
import { orNote, tidyUp } from "./branch_notes.ts";
import { detour, STRAIGHT } from "./course.ts";
import { follow } from "./follow.ts";
import { filesOf, localSnapshot, untrackedFiles } from "./git_snapshot.ts";
import { keepHere } from "./keep_here.ts";
import { type PendingTree, readPendingTree } from "./pending_tree.ts";
import { RACES, waitAfterRace, waitAfterSilence } from "./patience.ts";
import { makeRemoteChange, pushRemoteChange } from "./remote_change.ts";
import type { Decide, GitStoreOptions, Published, Snapshot, Store } from "./store.ts";

/** What a remote holds at one moment. */
interface View {
  snapshot: Snapshot;
  tree: PendingTree;
}

/** Keeps the history as commits on the branch of a remote, and what waits for the next of them in a ref beside it. */
export class RemoteStore implements Store {
  readonly #repository: RemoteRepository;
  readonly #options: GitStoreOptions;
  /** What the remote had when it was last asked; the next push builds on it without asking again. */
  #tips?: Tips;
  /** What was last seen of them. */
  #view?: View;
  #course = STRAIGHT;
  /** Whether the branch has commits, and the remote does not have it. */
  #isUnpublished = false;

  constructor(repository: RemoteRepository, options: GitStoreOptions) {
    this.#repository = repository;
    this.#options = options;
  }

  get place(): string {
    const { name, branch } = this.#repository.remote;
    return this.#isUnpublished
      ? `commits on ${this.#repository.branch}, which ${name} does not have yet`
      : `commits on ${branch} at ${name}`;
  }

  async read(): Promise<Snapshot> {
    const { readOnly, offline, warn } = this.#options;
    const repository = this.#repository;
    if (!readOnly) await tidyUp(repository, this.#options);
    if (offline) return await this.#known();
    try {
      const ask = readOnly ? peekTips : fetchTips;
      this.#tips = await ask(repository.git, this.#repository.remote);
      if (!await this.#findUnpublished(this.#tips)) return (await this.#look(this.#tips)).snapshot;
    } catch (error) {
      if (!(error instanceof RemoteError)) throw error;
      warn(`${error.message}; going on from what is known here`);
      return await this.#known();
    }
    return localSnapshot(repository, await commitOf(repository.git, "HEAD"));
  }

  /** What was there when the remote was last asked. */
  async #known(): Promise<Snapshot> {
    const { git, remote } = this.#repository;
    const known = await knownTips(git, remote);
    if (known.branch !== undefined) return (await this.#look(known, "offline")).snapshot;
    const head = localSnapshot(this.#repository, await commitOf(git, "HEAD"));
    return { ...head, readPending: () => Promise.resolve({ texts: new Map(), isUnknown: true }) };
  }

  untracked(folder: string): Promise<string[]> {
    return untrackedFiles(this.#repository, folder);
  }

  async publish(decide: Decide): Promise<Published> {
    const { git } = this.#repository;
    const { name, branch } = this.#repository.remote;
    let failures = 0;
    let last: Tips = {};
    let lock: string | undefined;
    for (let attempt = 1; attempt <= RACES; attempt++) {
      let wait: number | undefined = waitAfterRace(attempt, random());
      try {
        const tips = this.#tips ?? await fetchTips(git, this.#repository.remote);
        this.#tips = undefined;
        if (await this.#findUnpublished(tips)) {
          const exclusively = this.#options.exclusively;
          return { ...await keepHere(this.#repository, decide, exclusively), place: this.place };
        }
        const { snapshot, tree } = await this.#look(tips);
        const change = await decide(snapshot);
        if (change === undefined) return this.#published(last, []);
        last = await makeRemoteChange(this.#repository, { tips, tree, change });
        const answer = await pushRemoteChange(this.#repository, {
          tips,
          made: last,
          ways: this.#course.ways,
        });
        if (answer.kind === "done") return await this.#end(tips, last);
        if (answer.kind !== "overtaken") {
          this.#takeDetour(answer);
          continue;
        }
        lock = answer.lock;
      } catch (error) {
        wait = waitAfterSilence(++failures, random());
        if (!(error instanceof RemoteError) || !error.temporary || wait === undefined) throw error;
      }
      await this.#options.clock.wait(wait);
    }
    throw new RemoteError(
      `Cannot push to ${branch} at ${name}: ${lock ?? `others were faster ${RACES} times`}`,
      true,
    );
  }

  async #findUnpublished({ branch }: Tips): Promise<boolean> {
    this.#isUnpublished = branch === undefined &&
      await commitOf(this.#repository.git, "HEAD") !== undefined;
    return this.#isUnpublished;
  }

  async #look(tips: Tips, offline?: "offline"): Promise<View> {
    const { ways } = this.#course;
    const known = tips.branch !== undefined || tips.pending !== undefined;
    const version = known ? JSON.stringify([tips, ways, offline]) : undefined;
    if (version !== undefined && this.#view?.snapshot.version === version) return this.#view;
    const repository = this.#repository;
    const { git, remote } = repository;
    const branches = offline ? undefined : () => remoteBranches(git, remote);
    const tree = await readPendingTree(repository, tips.pending, branches);
    // A clone doesn't fetch the ref, so without an answer its absence here means nothing.
    const own = offline ? { ...tree.own, isEmpty: undefined, isUnknown: true as const } : tree.own;
    const readPending = () => Promise.resolve(own);
    const view = {
      tree,
      snapshot: { version, ways, ...filesOf(repository, tips.branch), readPending },
    };
    if (!offline) this.#view = view;
    return view;
  }

  #takeDetour(answer: PushAnswer & { kind: "refused" | "not atomic" }): void {
    const course = detour(this.#course, answer);
    if (course === undefined) {
      throw this.#refusal(this.#course.refusal ?? (answer.kind === "refused" ? answer.words : ""));
    }
    this.#course = course;
  }

  #refusal(words: string): RemoteError {
    const { name, branch } = this.#repository.remote;
    return new RemoteError(
      `Cannot push to ${branch} at ${name}: the remote refused ${words}`,
      false,
    );
  }

  async #end(tips: Tips, made: Tips): Promise<Published> {
    this.#tips = { ...tips, ...made };
    const { branch: parent } = tips;
    const commit = made.branch ?? parent;
    const notes = commit === undefined
      ? []
      : await orNote(() =>
        this.#options.exclusively(() =>
          follow(this.#repository, this.#repository.remote.name, { parent, commit })
        )
      );
    if (made.branch !== undefined) await keepHouse(this.#repository.git);
    return this.#published(made, notes);
  }

  #published({ branch: commit, pending }: Tips, notes: string[]): Published {
    const { refusal } = this.#course;
    const waits = commit === undefined && pending !== undefined;
    return {
      commit,
      place: waits ? `${PENDING_REF} at ${this.#repository.remote.name}` : this.place,
      notes,
      ...refusal === undefined ? {} : { refused: this.#refusal(refusal) },
    };
  }
}
