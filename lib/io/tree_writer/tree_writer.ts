import { NewFiles } from "./new_files.ts";
import {
  type Batch,
  filesOf,
  GIVEN_UP,
  SHARED,
  STARTING,
  STATE,
  STUCK,
  TAKEN,
  type Told,
  type Unwritten,
} from "./told.ts";

/** For so few files a thread is not worth its begin, which takes as long as they do. */
const FEW = 1000;

/** Bytes that are handed over at once; a file with more does not wait. */
const BATCH = 1 << 18;

/** How many batches may wait. */
const MOST_WAITING = 64;

/** Writes a file in place of whatever is there, and says what is in the way where that can't be done. */
type Replace = (path: string, content: Uint8Array) => Promise<void>;

/**
 * Writes new files of a folder: a few of them at the end, and thousands in a thread beside, while whoever makes
 * them makes the next. For each file the runtime looks at every folder on the way to it, to see whether it may
 * write there. One call is waited for before the next, each path comes once, and after an error nothing else is
 * written.
 */
export class TreeWriter implements Disposable {
  readonly #top: string;
  readonly #replace: Replace;
  readonly #here: NewFiles;
  #given = 0;
  #isSettled = true;
  #thread?: Worker;
  readonly #failed = Promise.withResolvers<never>();
  readonly #shared = new Int32Array(new SharedArrayBuffer(4 * SHARED));
  /** How many batches the thread was told of. */
  #told = 0;
  /** Those that it is still to be told of, or that are written here. */
  #held: Batch[] = [];
  #content = new Uint8Array();
  #length = 0;
  #files: [path: string, length: number][] = [];

  constructor(top: string, replace: Replace) {
    this.#top = top;
    this.#replace = replace;
    this.#here = new NewFiles(top);
  }

  /**
   * Writes a file soon, by its path from the folder. Its content is not looked at later.
   *
   * @throws {Error} Where this file can't be written, or one before it.
   */
  async write(path: string, content: Uint8Array): Promise<void> {
    if (++this.#given === FEW) this.#begin();
    const isLarge = content.length > BATCH;
    if (this.#state === STUCK || isLarge || this.#waiting >= MOST_WAITING) await this.settle();
    if (this.#state !== STARTING) this.#tellOfBatches();
    if (isLarge) await this.#writeHere(path, content);
    else this.#put(path, content);
  }

  /**
   * Waits until all files are written.
   *
   * @throws {Error} Where one can't be, or the thread fails.
   */
  async settle(): Promise<void> {
    if (this.#isSettled) return;
    this.#isSettled = true;
    this.#closeBatch();
    if (this.#state === STARTING) {
      for (const batch of this.#held.splice(0)) {
        for (const [path, content] of filesOf(batch)) await this.#writeHere(path, content);
      }
      return;
    }
    this.#tellOfBatches();
    const unwritten = await this.#askForUnwritten();
    for (const [path, content] of unwritten) await this.#replace(path, content);
  }

  /** Ends it; what is not written by then is not. */
  [Symbol.dispose](): void {
    Atomics.store(this.#shared, GIVEN_UP, 1);
    this.#thread?.terminate();
  }

  #begin(): void {
    const thread = new Worker(new URL("./thread.ts", import.meta.url), { type: "module" });
    // Where none can be begun it never listens, and everything is written here.
    this.#failed.promise.catch(() => {});
    thread.onerror = (event) => {
      event.preventDefault();
      const message = `Cannot write into ${this.#top}: the thread for that has failed; try again`;
      this.#failed.reject(new Error(message, { cause: event.error ?? event.message }));
    };
    this.#thread = thread;
    this.#tell({ begin: { top: this.#top, shared: this.#shared } });
  }

  #askForUnwritten(): Promise<Unwritten> {
    const { promise, resolve } = Promise.withResolvers<Unwritten>();
    this.#thread!.onmessage = ({ data }: MessageEvent<Unwritten>) => resolve(data);
    this.#tell({ settle: true });
    return Promise.race([promise, this.#failed.promise]);
  }

  /** What the thread says of itself. */
  get #state(): number {
    return Atomics.load(this.#shared, STATE);
  }

  /** How many batches are not written yet. */
  get #waiting(): number {
    return this.#held.length + this.#told - Atomics.load(this.#shared, TAKEN);
  }

  #put(path: string, content: Uint8Array): void {
    if (this.#length + content.length > this.#content.length) {
      this.#closeBatch();
      this.#content = new Uint8Array(BATCH);
    }
    this.#isSettled = false;
    this.#content.set(content, this.#length);
    this.#length += content.length;
    this.#files.push([path, content.length]);
  }

  async #writeHere(path: string, content: Uint8Array): Promise<void> {
    if (!this.#here.write(path, content)) await this.#replace(path, content);
  }

  #closeBatch(): void {
    if (this.#files.length === 0) return;
    this.#held.push({ content: this.#content, files: this.#files });
    this.#content = new Uint8Array();
    this.#length = 0;
    this.#files = [];
  }

  #tellOfBatches(): void {
    for (const batch of this.#held.splice(0)) {
      this.#tell({ batch }, [batch.content.buffer]);
      this.#told++;
    }
  }

  #tell(told: Told, handed: Transferable[] = []): void {
    this.#thread!.postMessage(told, handed);
  }
}
