import type { Clock } from "../io/clock.ts";

export interface Pace {
  /** Milliseconds for one request, its answer included. */
  request: number;
  /** Milliseconds that a second of waiting for the next attempt lasts. */
  second: number;
  /** Writing requests that may start at once. */
  burst: number;
  /** Milliseconds from one writing request to the next, after a burst. */
  write: number;
  /** Milliseconds for all requests together. */
  budget: number;
  /** Milliseconds for all optional requests together; they don't count in {@linkcode budget}. */
  aside: number;
}

/**
 * GitHub allows 80 requests a minute that create content
 * (docs.github.com/rest/using-the-rest-api/rate-limits-for-the-rest-api): these are 70 in the first minute, then 60.
 */
export const USUAL_PACE: Pace = {
  request: 10_000,
  second: 1_000,
  burst: 10,
  write: 1_000,
  budget: 120_000,
  aside: 10_000,
};

/** The time for requests is used up. */
export class BudgetError extends Error {
  override readonly name = "BudgetError";
  /** `hasStarted` is true if the request had started by then. */
  constructor(readonly milliseconds: number, readonly hasStarted: boolean) {
    super(`Budget of ${milliseconds} ms`);
  }
}

export class NoAnswerError extends Error {
  override readonly name = "NoAnswerError";
  constructor(readonly milliseconds: number) {
    super(`no answer within ${Number((milliseconds / 1000).toFixed(1))} s`);
  }
}

/** Limits the time of several tasks together; only time in which at least one of them runs counts. */
export class Budget {
  readonly #end = new AbortController();
  readonly #spent = Promise.withResolvers<never>();
  readonly #milliseconds: number;
  readonly #elapsed: () => number;
  #left: number;
  #running = 0;
  #since = 0;
  #timer?: ReturnType<typeof setTimeout>;

  /** `elapsed` gives the milliseconds since some moment. */
  constructor(milliseconds: number, elapsed: () => number) {
    this.#milliseconds = milliseconds;
    this.#left = milliseconds;
    this.#elapsed = elapsed;
    this.#spent.promise.catch(() => {});
  }

  /** Aborted once the time is used up. */
  get signal(): AbortSignal {
    return this.#end.signal;
  }

  /** @throws {BudgetError} If the time is used up before or during the task. */
  async spend<T>(task: () => Promise<T>): Promise<T> {
    if (this.#left <= 0 || this.signal.aborted) throw new BudgetError(this.#milliseconds, false);
    if (this.#running++ === 0) this.#start();
    try {
      return await Promise.race([task(), this.#spent.promise]);
    } finally {
      if (--this.#running === 0) {
        clearTimeout(this.#timer);
        this.#left = Math.max(0, this.#left - (this.#elapsed() - this.#since));
      }
    }
  }

  #start(): void {
    this.#since = this.#elapsed();
    this.#timer = setTimeout(() => {
      this.#spent.reject(new BudgetError(this.#milliseconds, true));
      this.#end.abort();
    }, this.#left);
  }
}

/** Limits a rate: `burst` requests at once, then one in each interval, first come, first served. */
export class TokenBucket {
  /** Time at which the bucket is full again, in milliseconds of `clock.elapsed()`. */
  #full = -Infinity;

  /** `interval` in milliseconds. */
  constructor(
    readonly burst: number,
    readonly interval: number,
    readonly clock: Pick<Clock, "elapsed" | "wait">,
  ) {}

  /** Resolves when a token is available, and takes it. */
  async take(): Promise<void> {
    const now = this.clock.elapsed();
    const early = this.#full - (this.burst - 1) * this.interval - now;
    this.#full = Math.max(this.#full, now) + this.interval;
    if (early > 0) await this.clock.wait(early);
  }
}

const MOST_REDIRECTS = 3;

/**
 * A `fetch` that returns a complete response or fails: one that comes too late or breaks off is no answer.
 * Writing requests are redirected only if method and body stay the same. `limit` is in milliseconds;
 * `signal` ends every request.
 */
export function limitedFetch(limit: number, signal: AbortSignal): typeof fetch {
  return async (input, init = {}) => {
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(), limit);
    const options: RequestInit = {
      ...init,
      // The runtime resends a text by itself if the connection breaks, which could do something twice.
      body: typeof init.body === "string" && init.body !== "" ? new Blob([init.body]) : init.body,
      // `fetch` makes a GET of a POST that is redirected with 301 or 302.
      redirect: /^(?:GET|HEAD)$/i.test(init.method ?? "GET") ? "follow" : "manual",
      signal: AbortSignal.any([late.signal, signal]),
    };
    try {
      let url = String(input);
      for (let hops = 0;; hops++) {
        const response = await fetch(url, options);
        const next = hops < MOST_REDIRECTS ? findRedirect(response, url) : undefined;
        const body = await response.arrayBuffer();
        if (next === undefined) {
          const { status, statusText, headers } = response;
          const bytes = body.byteLength === 0 ? null : body;
          const complete = new Response(bytes, { status, statusText, headers });
          // A constructed response has no URL, and pagination needs it.
          return Object.defineProperty(complete, "url", { value: response.url });
        }
        url = next;
      }
    } catch (error) {
      throw late.signal.aborted && !signal.aborted ? new NoAnswerError(limit) : error;
    } finally {
      clearTimeout(timer);
    }
  };
}

/** The target of a redirect that keeps method and body; credentials stay with their origin. */
function findRedirect({ status, headers }: Response, from: string): string | undefined {
  const location = headers.get("Location");
  if ((status !== 307 && status !== 308) || location === null) return undefined;
  const target = URL.parse(location, from);
  return target?.origin === new URL(from).origin ? target.href : undefined;
}
