import type { Clock } from "../../lib/io/clock.ts";

/** Turns of the queue of promises after which nothing more happens without a wait coming to its end. */
const TURNS = 200;

interface Timer {
  due: number;
  ring(): void;
}

/** A clock whose time moves only while everything waits, and then at once to the end of the shortest wait. */
export class VirtualClock implements Clock {
  #now: number;
  #timers: Timer[] = [];

  constructor(now: Temporal.Instant) {
    this.#now = now.epochMilliseconds;
  }

  now(): Temporal.Instant {
    return Temporal.Instant.fromEpochMilliseconds(Math.round(this.#now));
  }

  elapsed(): number {
    return this.#now;
  }

  wait(milliseconds: number, signal?: AbortSignal): Promise<void> {
    if (signal?.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const timer: Timer = { due: this.#now + milliseconds, ring: resolve };
      this.#timers.push(timer);
      signal?.addEventListener("abort", () => {
        this.#timers = this.#timers.filter((one) => one !== timer);
        resolve();
      }, { once: true });
    });
  }

  /** Lets time go by until some work is done. */
  async until<T>(work: Promise<T>): Promise<T> {
    let isDone = false;
    const end = () => isDone = true;
    work.then(end, end);
    while (true) {
      for (let turn = 0; turn < TURNS && !isDone; turn++) await null;
      if (isDone) return await work;
      if (this.#timers.length === 0) {
        await new Promise((resolve) => setTimeout(resolve));
        continue;
      }
      const next = this.#timers.reduce((one, other) => other.due < one.due ? other : one);
      this.#timers = this.#timers.filter((one) => one !== next);
      this.#now = Math.max(this.#now, next.due);
      next.ring();
    }
  }

  /** Moves on to a moment at which nothing waits. */
  goTo(time: Temporal.Instant): void {
    this.#now = Math.max(this.#now, time.epochMilliseconds);
  }
}
