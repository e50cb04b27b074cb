import { NewFiles } from "./new_files.ts";
import type { Refused, Told } from "./new_files_thread.ts";

/** For so few files a thread is not worth its begin, which takes as long as they do. */
const FEW = 1000;

/** Bytes that are handed over at once. */
const BATCH = 1 << 18;

/**
 * Writes new files of a folder: after the first of them in a thread beside, while whoever makes them makes the
 * next. For each file the runtime looks at every folder on the way to it, to see whether it may write there.
 */
export class TreeWriter implements Disposable {
  readonly #top: string;
  readonly #here: NewFiles;
  readonly #refused: (readonly [path: string, content: Uint8Array])[] = [];
  #written = 0;
  #thread?: Worker;
  readonly #answer = Promise.withResolvers<Refused>();
  readonly #ready = new Int32Array(new SharedArrayBuffer(4));
  #content = new Uint8Array();
  #length = 0;
  #files: [path: string, length: number][] = [];

  constructor(top: string) {
    this.#top = top;
    this.#here = new NewFiles(top);
  }

  /** Writes a file now or soon, by its path from the folder. Its content is not looked at later. */
  write(path: string, content: Uint8Array): void {
    if (++this.#written === FEW) this.#begin();
    if (Atomics.load(this.#ready, 0) === 1) this.#handOver(path, content);
    else if (!this.#here.write(path, content)) this.#refused.push([path, content.slice()]);
  }

  /** Waits until all files are written, and returns those that could not be. */
  async end(): Promise<Refused> {
    if (Atomics.load(this.#ready, 0) === 0) return this.#refused;
    this.#send();
    this.#tell({ end: true });
    return [...this.#refused, ...await this.#answer.promise];
  }

  [Symbol.dispose](): void {
    this.#thread?.terminate();
  }

  #begin(): void {
    const { promise, resolve, reject } = this.#answer;
    this.#thread = new Worker(new URL("./new_files_thread.ts", import.meta.url), {
      type: "module",
    });
    this.#thread.onmessage = ({ data }: MessageEvent<Refused>) => resolve(data);
    this.#thread.onerror = (event) => {
      event.preventDefault();
      reject(new Error(`Cannot write the files of ${this.#top}: ${event.message}`));
    };
    // Where a thread can't be begun it is never ready, everything is written here, and nobody asks it.
    promise.catch(() => {});
    this.#tell({ begin: { top: this.#top, ready: this.#ready } });
  }

  #handOver(path: string, content: Uint8Array): void {
    if (this.#length + content.length > this.#content.length) {
      this.#send();
      this.#content = new Uint8Array(Math.max(BATCH, content.length));
    }
    this.#content.set(content, this.#length);
    this.#length += content.length;
    this.#files.push([path, content.length]);
  }

  #send(): void {
    if (this.#files.length === 0) return;
    this.#tell({ batch: { content: this.#content, files: this.#files } }, [this.#content.buffer]);
    this.#content = new Uint8Array();
    this.#length = 0;
    this.#files = [];
  }

  #tell(told: Told, handed: Transferable[] = []): void {
    this.#thread!.postMessage(told, handed);
  }
}
