import { delay } from "@std/async/delay";

export interface Clock {
  now(): Temporal.Instant;
  /** Milliseconds since some moment, with fractions, which nobody can set back. */
  elapsed(): number;
  /** Resolves after the given milliseconds, or early if the signal is aborted. */
  wait(milliseconds: number, signal?: AbortSignal): Promise<void>;
}

export const systemClock: Clock = {
  now: () => Temporal.Now.instant(),
  elapsed: () => performance.now(),
  async wait(milliseconds, signal) {
    try {
      await delay(milliseconds, { signal });
    } catch (error) {
      if (signal?.aborted !== true) throw error;
    }
  },
};

export const random: () => number = Math.random;

/** A name that nobody else has: 8 hexadecimal digits. */
export function randomName(): string {
  return crypto.randomUUID().slice(0, 8);
}
