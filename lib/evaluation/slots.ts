import type { Clock } from "../io/clock.ts";

/** Lane of an action: `slow` if its site is likely to hang, so that such sites never block the others. */
export type Lane = "usual" | "slow";

/**
 * Limits how many actions run at once. The slow lane owns a quarter of the slots while it has work, and takes
 * the free ones if nothing waits in the usual lane. After `limit` milliseconds an action continues without
 * its slot: a connection that hangs does no work.
 */
export class Slots {
  readonly #size: number;
  readonly #limit: number;
  readonly #clock: Clock;
  /** In the order in which they came. */
  #waiting: { lane: Lane; start(): void }[] = [];
  readonly #running: Record<Lane, number> = { usual: 0, slow: 0 };

  constructor(size: number, { limit, clock }: { limit: number; clock: Clock }) {
    this.#size = size;
    this.#limit = limit;
    this.#clock = clock;
  }

  async use<T>(action: () => Promise<T>, lane: Lane = "usual"): Promise<T> {
    await new Promise<void>((resolve) => {
      this.#waiting.push({ lane, start: resolve });
      // Actions of both lanes that are added at once share the slots from the start.
      queueMicrotask(() => this.#fill());
    });
    const done = new AbortController();
    const running = action().finally(() => done.abort());
    this.#clock.wait(this.#limit, done.signal).then(() => {
      this.#running[lane]--;
      this.#fill();
    });
    return await running;
  }

  #fill(): void {
    const waits = (lane: Lane) => this.#waiting.some((one) => one.lane === lane);
    const [own, hasUsual, hasSlow] = [Math.floor(this.#size / 4), waits("usual"), waits("slow")];
    const { usual, slow } = this.#running;
    const room: Record<Lane, number> = {
      usual: this.#size - (hasSlow || slow > 0 ? Math.max(own, slow) : 0) - usual,
      slow: Math.min(this.#size - usual, hasUsual ? own : this.#size) - slow,
    };
    this.#waiting = this.#waiting.filter(({ lane, start }) => {
      const both = this.#running.usual + this.#running.slow;
      if (room[lane] <= 0 || both >= this.#size) return true;
      room[lane]--;
      this.#running[lane]++;
      start();
      return false;
    });
  }
}
