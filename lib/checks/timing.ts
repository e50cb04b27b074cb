import { isIP } from "node:net";
import { type Stage, TimeLimitError } from "./network_failure.ts";
import type { Phases } from "./observation.ts";

type Mark = "lookup" | "connect" | "secure" | "answer";

export class Stopwatch {
  readonly #start = performance.now();
  readonly #marks = new Map<Mark, number>();
  stage: Stage;

  /** An IP address needs no look-up. */
  constructor(host: string) {
    const isAddress = isIP(host) !== 0;
    this.stage = isAddress ? "connecting" : "looking up the name";
    if (isAddress) this.#marks.set("lookup", this.#start);
  }

  get elapsed(): number {
    return performance.now() - this.#start;
  }

  /** Ends a phase if it has not ended yet, and enters the next stage. */
  pass(mark: Mark, next: Stage): void {
    if (!this.#marks.has(mark)) this.#marks.set(mark, performance.now());
    this.stage = next;
  }

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

/** Runs an action with a signal that is also aborted after some milliseconds, with a {@linkcode TimeLimitError}. */
export async function withTimeLimit<T>(
  milliseconds: number,
  signal: AbortSignal,
  action: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(new TimeLimitError(milliseconds)), milliseconds);
  try {
    return await action(AbortSignal.any([limit.signal, signal]));
  } finally {
    clearTimeout(timer);
  }
}

/** Waits for callbacks; rejects with the reason of the signal once that is aborted. */
export async function unlessAborted<T>(
  signal: AbortSignal,
  start: (resolve: (value: T) => void, reject: (error: Error) => void) => void,
): Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  const abort = () => reject(signal.reason);
  signal.addEventListener("abort", abort);
  if (signal.aborted) abort();
  else start(resolve, reject);
  return await promise.finally(() => signal.removeEventListener("abort", abort));
}
