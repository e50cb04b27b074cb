import type { Clock } from "../io/clock.ts";

/**
 * Milliseconds from the start of a plain connection to the next start: one costs half of that of a small
 * machine's processor. 2 apart nothing is measured more exactly, 1 apart half of the sites of 20 ms seem
 * 1 to 3 ms slower than they are.
 */
const PLAIN = 1.5;
/**
 * The same for TLS, whose handshake costs up to 2. Measured with 200 sites of 100 ms on two cores that
 * the sites share: 2 ms apart half of them seem 10 to 26 ms slower than they are, 3 apart 10 to 14, 4
 * apart 7 to 8, and 5 apart 6, which is what the handshake takes.
 */
const TLS = 5;
/** A timer this much late, in milliseconds, tells that the processor is behind with its work. */
const LATE = 2;
/** Most times that one start is put off for the processor. */
const PATIENCE = 25;

/**
 * Lets attempts start one after the other with a little time between them. Connections that are opened
 * all at once wait for the processor, and each would measure the work for the others.
 */
export class Pace {
  readonly #clock: Clock;
  #last: Promise<void> = Promise.resolve();
  #due = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Resolves when it is the turn of a site with this address to start; a secret may hide TLS. */
  turn(url: string): Promise<void> {
    const interval = /^(?:https:|\$)/i.test(url) ? TLS : PLAIN;
    return this.#last = this.#last.then(() => this.#start(interval));
  }

  async #start(interval: number): Promise<void> {
    for (let putOff = 0; putOff < PATIENCE; putOff++) {
      const early = this.#due - this.#clock.elapsed();
      if (early <= 0) break;
      await this.#clock.wait(early);
      if (this.#lateness() < LATE) break;
      this.#due = this.#clock.elapsed() + interval;
    }
    const late = this.#lateness();
    this.#due += interval + (late < LATE ? 0 : late);
  }

  #lateness(): number {
    return this.#clock.elapsed() - this.#due;
  }
}
