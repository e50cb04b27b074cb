import type { Clock } from "../io/clock.ts";

/** Milliseconds without a new result after which a batch ends. */
const PAUSE = 1_000;

/** Splits results that are added over time into batches. */
export class Batches<T> implements AsyncIterable<T[]> {
  #results: T[] = [];
  #isOver = false;
  #next = Promise.withResolvers<void>();

  /**
   * With a clock, a batch ends after a second without a new result: sites that fail together are in one, and a slow
   * site delays no other. Without one, all results are one batch.
   */
  constructor(readonly clock?: Clock) {}

  add(result: T): void {
    this.#results.push(result);
    this.#wake();
  }

  /** Ends the last batch: no more results will be added. */
  end(): void {
    this.#isOver = true;
    this.#wake();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T[], void, void> {
    do {
      await this.#finishBatch();
      const batch = this.#results.splice(0);
      if (batch.length > 0) yield batch;
    } while (!this.#isOver || this.#results.length > 0);
  }

  #wake(): void {
    this.#next.resolve();
    this.#next = Promise.withResolvers();
  }

  async #finishBatch(): Promise<void> {
    while (!this.#isOver) {
      const { promise: next } = this.#next;
      const count = this.#results.length;
      if (count === 0 || this.clock === undefined) {
        await next;
        continue;
      }
      const stop = new AbortController();
      await Promise.race([next, this.clock.wait(PAUSE, stop.signal)]);
      stop.abort();
      if (this.#results.length === count) return;
    }
  }
}
