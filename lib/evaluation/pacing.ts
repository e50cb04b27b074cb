import type { Clock } from "../io/clock.ts";

/**
 * Milliseconds from the start of a plain connection to the next start: a connection costs half of that of a
 * small machine's CPU. 2 apart is not more exact, 1 apart half of the sites of 20 ms seem 1 to 3 ms slower.
 */
const PLAIN = 1.5;
/**
 * The same for TLS, whose handshake costs up to 2. Measured with 200 sites of 100 ms on two cores that the
 * sites share: 2 ms apart half of them seem 10 to 26 ms slower, 3 apart 10 to 14, 4 apart 7 to 8, and 5 apart
 * 6, which is what the handshake takes.
 */
const TLS = 5;
/** Delay of a timer, in milliseconds, that shows that the CPU is overloaded. */
const LATE = 2;
const MOST_DELAYS = 25;

/** Milliseconds from the start of an attempt on an address to the next; a secret may hide TLS. */
export function startInterval(url: string): number {
  return /^(?:https:|\$)/i.test(url) ? TLS : PLAIN;
}

/** Starts attempts with a little time in between, because simultaneous ones would wait for the CPU. */
export class Pace {
  #last: Promise<void> = Promise.resolve();
  #due = 0;

  constructor(readonly clock: Clock) {}

  turn(url: string): Promise<void> {
    const interval = startInterval(url);
    return this.#last = this.#last.then(() => this.#start(interval));
  }

  async #start(interval: number): Promise<void> {
    for (let delays = 0; delays < MOST_DELAYS; delays++) {
      const early = this.#due - this.clock.elapsed();
      if (early <= 0) break;
      await this.clock.wait(early);
      if (this.#lateness() < LATE) break;
      this.#due = this.clock.elapsed() + interval;
    }
    const late = this.#lateness();
    this.#due += interval + (late < LATE ? 0 : late);
  }

  #lateness(): number {
    return this.clock.elapsed() - this.#due;
  }
}

/**
 * Limits how many actions run at once. Slow actions, of sites that are likely to hang, start only if no other waits.
 * After `limit` milliseconds an action continues without its slot: a connection that hangs does no work.
 */
export class Slots {
  #free: number;
  readonly #waiting = { usual: [] as (() => void)[], slow: [] as (() => void)[] };

  constructor(size: number, readonly options: { limit: number; clock: Clock }) {
    this.#free = size;
  }

  async use<T>(action: () => Promise<T>, lane: "usual" | "slow" = "usual"): Promise<T> {
    if (this.#free > 0) this.#free--;
    else await new Promise<void>((resolve) => this.#waiting[lane].push(resolve));
    const done = new AbortController();
    const running = action().finally(() => done.abort());
    this.options.clock.wait(this.options.limit, done.signal).then(() => {
      const next = this.#waiting.usual.shift() ?? this.#waiting.slow.shift();
      if (next === undefined) this.#free++;
      else next();
    });
    return await running;
  }
}
