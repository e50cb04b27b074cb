import { type Clock, systemClock } from "../../lib/io/clock.ts";

/** The clock of the machine, but waits between the runs of `watch` end at once, and the time leaps to their end. */
export class LeapingClock implements Clock {
  /** Signal of the waits that are leapt over. */
  readonly #signal: AbortSignal;
  readonly #onLeap: () => void;
  #leapt = 0;

  constructor(signal: AbortSignal, onLeap: () => void) {
    this.#signal = signal;
    this.#onLeap = onLeap;
  }

  now(): Temporal.Instant {
    return systemClock.now().add({ milliseconds: Math.round(this.#leapt) });
  }

  elapsed(): number {
    return systemClock.elapsed() + this.#leapt;
  }

  async wait(milliseconds: number, signal?: AbortSignal): Promise<void> {
    if (signal !== this.#signal) return await systemClock.wait(milliseconds, signal);
    this.#leapt += milliseconds;
    this.#onLeap();
    // Other work goes on as it would meanwhile.
    await systemClock.wait(0);
  }
}
