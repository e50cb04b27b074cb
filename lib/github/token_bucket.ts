import type { Clock } from "../io/clock.ts";

/** Limits a rate: `burst` requests at once, then one in each interval, first come, first served. */
export class TokenBucket {
  readonly #clock: Pick<Clock, "elapsed" | "wait">;
  readonly #interval: number;
  readonly #burst: number;
  /** Time at which the bucket is full again, in milliseconds of `clock.elapsed()`. */
  #full = -Infinity;

  /** `interval` in milliseconds. */
  constructor(
    { burst, interval, clock }: {
      burst: number;
      interval: number;
      clock: Pick<Clock, "elapsed" | "wait">;
    },
  ) {
    this.#clock = clock;
    this.#interval = interval;
    this.#burst = burst;
  }

  /** Resolves when a token is available, and takes it. */
  async take(): Promise<void> {
    const now = this.#clock.elapsed();
    const early = this.#full - (this.#burst - 1) * this.#interval - now;
    this.#full = Math.max(this.#full, now) + this.#interval;
    if (early > 0) await this.#clock.wait(early);
  }
}
