import { RemoteError } from "../../git/remote.ts";
import type { Clock } from "../../io/clock.ts";
import { shortHash } from "../../text/words.ts";
import { mergePending } from "../run_state.ts";
import type {
  Change,
  Decide,
  PendingTexts,
  Published,
  SentText,
  Snapshot,
  Store,
} from "./store.ts";

/** Milliseconds after which waiting texts are published though nothing has changed, so that others see new checks. */
const LONGEST_WAIT = 300_000;
/** Milliseconds after a failure in which a remote is not contacted again. */
const SILENCE = 60_000;

/** Pending texts that are on this machine only. */
interface Buffer {
  texts: ReadonlyMap<string, string>;
  /** Identifies the pending texts of the store that they continue. */
  base: string;
  /** True if a change of state could not be published: they know more than the store, not only more checks. */
  hasChange: boolean;
}

export interface BufferFile {
  read(): Promise<string | undefined>;
  write(text: string): Promise<void>;
  remove(): Promise<void>;
}

/** Dependencies of a {@linkcode BufferedStore}. */
interface BufferOptions {
  file: BufferFile;
  clock: Clock;
  /** Held by the process that keeps changes there; absent in all others. */
  holder?: Disposable;
  /**
   * Takes hold of the file for a moment, to keep there what could not be published; `undefined` while another process
   * keeps changes there. Absent if nothing is kept.
   */
  hold?(): Promise<Disposable | undefined>;
}

/**
 * A store with pending texts on this machine, which come before those of the store below. The holder writes changes
 * there that can wait, and publishes them with the next one that can't; so it does with everything while the remote
 * does not answer. Other processes read what waits, and remove it once they have published it; one that can publish
 * nothing may keep that there.
 */
export class BufferedStore implements Store, Disposable {
  readonly #store: Store;
  readonly #options: BufferOptions;
  #buffer?: Buffer;
  /** Text of the file as of the last access; `null` before the first. */
  #written: string | undefined | null = null;
  #changes = 0;
  #kept?: Change;
  /** The store's version when its last change was decided: another one means that somebody else has changed it. */
  #version?: string;
  /** Time of the last attempt to publish, in milliseconds of `clock.elapsed()`. */
  #publishedAt: number;
  #silentUntil = -Infinity;
  /** The reason why this process, which is not the holder, could not publish; it does not try again. */
  #refusal?: Error;
  #identified?: { pending: PendingTexts; id: string };

  constructor(store: Store, options: BufferOptions) {
    this.#store = store;
    this.#options = options;
    this.#publishedAt = options.clock.elapsed();
  }

  get place(): string {
    return this.#store.place;
  }

  [Symbol.dispose](): void {
    this.#options.holder?.[Symbol.dispose]();
  }

  /** True if changes are kept here. */
  get #keeps(): boolean {
    return this.#options.holder !== undefined;
  }

  untracked(folder: string): Promise<readonly string[]> {
    return this.#store.untracked(folder);
  }

  async readSent(): Promise<ReadonlyMap<string, readonly SentText[]>> {
    return await this.#store.readSent?.() ?? new Map();
  }

  track(paths: readonly string[]): Promise<void> {
    return this.#store.track(paths);
  }

  async read(): Promise<Snapshot> {
    await this.#load();
    return this.#overlay(await this.#store.read());
  }

  async publish(decide: Decide): Promise<Published> {
    await this.#load();
    const below = await this.#store.read();
    const snapshot = this.#overlay(below);
    const change = await decide(snapshot);
    if (change === undefined) return { place: this.place, notes: [] };
    const isMoved = this.#version !== undefined && this.#version !== below.version;
    this.#version = below.version;
    const isDue = below.capabilities.takesRef && (isMoved || this.#isOverdue);
    const canWait = change.canWait === true && !isDue;
    if (this.#keeps && (canWait || this.#isSilentIn(below))) return await this.#keep(change, below);
    if (this.#refusal !== undefined) return await this.#keepRefused(decide, below, this.#refusal);
    try {
      return await this.#publish(decide, { snapshot, change });
    } catch (error) {
      if (!isFault(error)) throw error;
      if (!this.#keeps) return await this.#keepRefused(decide, below, error);
      this.#silentUntil = this.#options.clock.elapsed() + SILENCE;
      const kept = await decide(this.#overlay(below));
      if (kept === undefined) throw error;
      return await this.#keep(
        kept,
        below,
        `${error.message}; this waits here until ${
          error instanceof RemoteError ? "it answers" : "that works"
        }`,
      );
    }
  }

  /** Publishes what waits, if the remote takes it. */
  async flush(): Promise<void> {
    const change = this.#kept;
    if (change === undefined || this.#buffer === undefined) return;
    await this.#publish((snapshot) => {
      const { capabilities: { takesRef }, pending: { texts: pending } } = snapshot;
      return Promise.resolve(takesRef ? { ...change, pending } : undefined);
    });
  }

  /** Keeps what could not be published, for the next run in this folder. */
  async #keepRefused(decide: Decide, below: Snapshot, refused: Error): Promise<Published> {
    const { hold = () => Promise.resolve(undefined) } = this.#options;
    using held = await hold().catch(() => undefined);
    if (held === undefined) throw refused;
    this.#refusal = refused;
    // Another process may have kept something meanwhile.
    await this.#load();
    const change = await decide(this.#overlay(below));
    if (change?.pending === undefined) throw refused;
    try {
      return { ...await this.#keep(change, below), refused };
    } catch (error) {
      throw new Error(
        `${refused.message}; what was found can't be kept on this machine either: ${
          error instanceof Error ? error.message : error
        }`,
        { cause: error },
      );
    }
  }

  async #publish(
    decide: Decide,
    first?: { snapshot: Snapshot; change: Change },
  ): Promise<Published> {
    this.#publishedAt = this.#options.clock.elapsed();
    let [known, isPublished] = [first, false];
    const published = await this.#store.publish(async (below) => {
      const snapshot = this.#overlay(below);
      const isKnown = snapshot.version !== undefined &&
        snapshot.version === known?.snapshot.version;
      const change = isKnown ? known!.change : await decide(snapshot);
      known = undefined;
      isPublished = change !== undefined;
      return change;
    });
    this.#version = undefined;
    if (isPublished) await this.#clear();
    return published;
  }

  /** True while the remote is not contacted, because it did not answer lately. */
  get #isSilent(): boolean {
    return this.#refusal !== undefined || this.#options.clock.elapsed() < this.#silentUntil;
  }

  /** True also if the remote has just left the question for its state unanswered: a push would only wait as well. */
  #isSilentIn(below: Snapshot): boolean {
    return this.#isSilent || (this.#keeps && below.pending.isUnknown === true);
  }

  get #isOverdue(): boolean {
    return this.#options.clock.elapsed() - this.#publishedAt >= LONGEST_WAIT;
  }

  #overlay(below: Snapshot): Snapshot {
    const keeps = this.#keeps;
    const isSilent = this.#isSilentIn(below);
    if (!keeps && !isSilent && this.#buffer === undefined) return below;
    const { version, capabilities, pending } = below;
    return {
      ...below,
      version: version && `${version} ${this.#changes}${isSilent ? " silent" : ""}`,
      capabilities: {
        ...capabilities,
        ...keeps ? { keeps } : {},
        // Whatever the remote would not take waits in the buffer.
        ...isSilent ? { takesRef: true, commits: false } : {},
        ...this.#refusal === undefined ? {} : { isRefused: true },
      },
      pending: this.#pending(pending),
    };
  }

  #pending(below: PendingTexts): PendingTexts {
    if (this.#buffer === undefined) return below;
    const { texts, base, hasChange } = this.#buffer;
    const isContinued = base === this.#identify(below);
    const merged = isContinued
      ? texts
      : hasChange
      ? mergePending(texts, below.texts)
      : mergePending(below.texts, texts);
    return { ...below, texts: merged, isEmpty: false };
  }

  #identify(pending: PendingTexts): string {
    if (this.#identified?.pending !== pending) {
      this.#identified = { pending, id: shortHash(JSON.stringify([...pending.texts])) };
    }
    return this.#identified.id;
  }

  async #keep(change: Change, below: Snapshot, note?: string): Promise<Published> {
    const { pending: texts } = change;
    if (texts === undefined) throw new Error("a change that waits has pending texts");
    const base = this.#identify(below.pending);
    const hasChange = this.#buffer?.hasChange || !change.canWait;
    await this.#save({ texts, base, hasChange });
    this.#kept = change;
    const { version } = this.#overlay(below);
    return { place: "a file on this machine", notes: note === undefined ? [] : [note], version };
  }

  async #load(): Promise<void> {
    if (this.#written !== null && this.#keeps) return;
    this.#written = await this.#options.file.read();
    this.#buffer = this.#written === undefined ? undefined : parseBuffer(this.#written);
  }

  async #save(buffer: Buffer): Promise<void> {
    this.#buffer = buffer;
    this.#changes++;
    this.#written = formatBuffer(buffer);
    await this.#options.file.write(this.#written);
  }

  /** Removes what was published, unless another process has kept more since. */
  async #clear(): Promise<void> {
    if (this.#buffer === undefined) return;
    const { file } = this.#options;
    if (await file.read() === this.#written) await file.remove();
    this.#buffer = undefined;
    this.#written = undefined;
    this.#changes++;
  }
}

/** True for a remote, a disk or a repository that takes nothing; false for bugs. */
function isFault(error: unknown): error is Error {
  const bugs = [TypeError, RangeError, ReferenceError, SyntaxError];
  return error instanceof Error && !bugs.some((bug) => error instanceof bug);
}

function formatBuffer({ texts, base, hasChange: isNews }: Buffer): string {
  return JSON.stringify({ base, isNews, texts: Object.fromEntries(texts) });
}

/** A file that can't be read is as good as none: the store below has everything but the last minutes. */
function parseBuffer(text: string): Buffer | undefined {
  try {
    const { base, isNews, texts } = JSON.parse(text);
    return {
      base: String(base),
      hasChange: isNews === true,
      texts: new Map(Object.entries(texts)),
    };
  } catch {
    return undefined;
  }
}
