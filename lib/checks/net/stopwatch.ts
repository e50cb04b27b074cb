import type { Phases } from "../check.ts";
import type { Stage } from "../network_failure.ts";

/** A moment of an exchange, in the order of their coming. */
type Mark = "lookup" | "connect" | "secure" | "answer";

/** Times the phases of one exchange by the monotonic clock, and knows what it is busy with. */
export class Stopwatch {
  readonly #start = performance.now();
  readonly #marks = new Map<Mark, number>();
  #stage: Stage;

  /** An address needs no look-up. */
  constructor(isAddress: boolean) {
    this.#stage = isAddress ? "connecting" : "looking up the name";
    if (isAddress) this.#marks.set("lookup", this.#start);
  }

  get stage(): Stage {
    return this.#stage;
  }

  /** Milliseconds since the start. */
  get elapsed(): number {
    return performance.now() - this.#start;
  }

  /** Goes on to another stage within the same phase. */
  await(stage: Stage): void {
    this.#stage = stage;
  }

  /** Takes the time of a mark where it is reached first, and goes on to the next stage. */
  pass(mark: Mark, next: Stage): void {
    if (!this.#marks.has(mark)) this.#marks.set(mark, performance.now());
    this.#stage = next;
  }

  /** The phases of an exchange that ends now. A phase that did not come about took no time. */
  stop(): Phases {
    const end = performance.now();
    let last = this.#start;
    const since = (moment = last) => {
      const took = moment - last;
      last = moment;
      return took;
    };
    return {
      dns: since(this.#marks.get("lookup")),
      connect: since(this.#marks.get("connect")),
      tls: since(this.#marks.get("secure")),
      ttfb: since(this.#marks.get("answer")),
      download: since(end),
    };
  }
}
