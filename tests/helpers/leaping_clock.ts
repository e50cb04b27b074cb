import { type Clock, systemClock } from "../../lib/io/clock.ts";

/** The clock of the machine, but waits between the runs of `watch` end at once, and the time leaps to their end. */
export class LeapingClock implements Clock {
  /** Signal of the waits that are leapt over. */
  readonly #signal: AbortSignal;
  readonly #onLeap: (milliseconds: number) => unknown;
  #leapt = 0;

  /** `onLeap` is called at the end of each leap, and awaited. */
  constructor(signal: AbortSignal, onLeap: (milliseconds: number) => unknown) {
    this.#signal = signal;
    this.#onLeap = onLeap;
  }

  now(): Temporal.Instant {
    return systemClock.now().add({ milliseconds: Math.round(this.#leapt) });
  }

  elapsed(): number {
    return systemClock.elapsed() + this.#leapt;
  }

  /** Lets time pass without anybody waiting. */
  pass(milliseconds: number): void {
    this.#leapt += milliseconds;
  }

  async wait(milliseconds: number, signal?: AbortSignal): Promise<void> {
    if (signal !== this.#signal) return await systemClock.wait(milliseconds, signal);
    this.pass(milliseconds);
    await this.#onLeap(milliseconds);
    // Other work continues meanwhile.
    await systemClock.wait(0);
  }
}
