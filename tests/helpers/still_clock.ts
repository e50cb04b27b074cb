import type { Clock } from "../../lib/io/clock.ts";

/** A clock that moves only during waits, which end at once; it records them. */
export class StillClock implements Clock {
  readonly waits: number[] = [];
  #now: Temporal.Instant;
  #elapsed = 0;

  constructor(now = "2026-11-21T10:00:00Z") {
    this.#now = Temporal.Instant.from(now);
  }

  now(): Temporal.Instant {
    return this.#now;
  }

  elapsed(): number {
    return this.#elapsed;
  }

  wait(milliseconds: number, signal?: AbortSignal): Promise<void> {
    if (signal?.aborted) return Promise.resolve();
    this.waits.push(milliseconds);
    this.pass(milliseconds);
    return Promise.resolve();
  }

  /** Lets time go by without anyone waiting. */
  pass(milliseconds: number): void {
    this.#elapsed += milliseconds;
    this.#now = this.#now.add({ milliseconds: Math.round(milliseconds) });
  }
}
