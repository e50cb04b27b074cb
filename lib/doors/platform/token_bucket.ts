import type { Clock } from "../clock.ts";

/** A token bucket: `burst` requests at once, then one in each interval. Requests are served in their order. */
export class TokenBucket {
  readonly #clock: Pick<Clock, "elapsed" | "wait">;
  readonly #interval: number;
  readonly #burst: number;
  /** When the bucket is full again, in milliseconds of the clock. */
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

  /** Takes a token, and resolves when it is there. */
  async take(): Promise<void> {
    const now = this.#clock.elapsed();
    const early = this.#full - (this.#burst - 1) * this.#interval - now;
    this.#full = Math.max(this.#full, now) + this.#interval;
    if (early > 0) await this.#clock.wait(early);
  }
}
