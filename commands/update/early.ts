import type { Clock } from "../../lib/doors/clock.ts";
import type { CheckResult } from "../../lib/verdict/judge.ts";

/** Milliseconds after which a change is recorded, however long other sites take: it is to be sent within 20 seconds. */
const LONGEST_WAIT = 16_000;
/** Milliseconds in which changes become one group, even if no other site fails. */
const SETTLING = 1_000;

/** How changes are recorded before all sites are checked. */
export interface EarlyOptions {
  clock: Clock;
  /** Slugs of the sites that are checked. */
  slugs: Iterable<string>;
  /** Records results, and returns those that were recorded: the others wait for the next time, or the end. */
  record(results: readonly CheckResult[]): Promise<readonly CheckResult[]>;
}

/**
 * Records changes while other sites are still being checked. A change waits for sites that are being
 * confirmed too, so that they are reported together, but never longer than {@linkcode LONGEST_WAIT}.
 */
export class EarlyRecorder {
  /** Results by slug that were recorded; they are final. */
  readonly recorded = new Map<string, CheckResult>();
  readonly #options: EarlyOptions;
  readonly #over = new AbortController();
  readonly #pending: Set<string>;
  /** Sites whose first attempt did not settle their state. */
  readonly #confirming = new Set<string>();
  #results: CheckResult[] = [];
  /** When the first change that is not recorded yet was confirmed, as `clock.elapsed()` tells time. */
  #newsSince?: number;
  #working?: Promise<void>;
  #onQuiet = () => {};

  constructor(options: EarlyOptions) {
    this.#options = options;
    this.#pending = new Set(options.slugs);
  }

  /** True if the result of a site is still to come. */
  isPending(slug: string): boolean {
    return this.#pending.has(slug);
  }

  /** An attempt on a site has ended. */
  attempted(slug: string): void {
    this.#confirming.add(slug);
  }

  /** The attempts on a site have ended; its result may still wait for those of others. */
  judged(slug: string): void {
    this.#confirming.delete(slug);
    if (this.#confirming.size === 0) this.#onQuiet();
  }

  /** The check of a site has ended; `isNews` if somebody is waiting for its result. */
  add(result: CheckResult, isNews: boolean): void {
    const { slug } = result.site;
    this.#results.push(result);
    this.#pending.delete(slug);
    this.judged(slug);
    if (this.#pending.size === 0) this.#over.abort();
    if (!isNews) return;
    this.#newsSince ??= this.#options.clock.elapsed();
    this.#working ??= this.#work();
  }

  /** Ends the work: what is not recorded yet is recorded with the rest. */
  async end(): Promise<void> {
    this.#over.abort();
    await this.#working;
  }

  async #work(): Promise<void> {
    const { signal } = this.#over;
    while (this.#newsSince !== undefined && !signal.aborted) {
      await this.#grouped(this.#newsSince + LONGEST_WAIT);
      if (signal.aborted) break;
      this.#newsSince = undefined;
      const recorded = new Set(await this.#options.record([...this.#results]));
      for (const result of recorded) this.recorded.set(result.site.slug, result);
      this.#results = this.#results.filter((result) => !recorded.has(result));
    }
    this.#working = undefined;
  }

  /** Waits until no other site is being confirmed, and no longer than to `latest`. */
  async #grouped(latest: number): Promise<void> {
    const { clock } = this.#options;
    const quiet = new AbortController();
    const signal = AbortSignal.any([this.#over.signal, quiet.signal]);
    await clock.wait(SETTLING, this.#over.signal);
    this.#onQuiet = () => quiet.abort();
    const left = latest - clock.elapsed();
    if (this.#confirming.size > 0 && left > 0) await clock.wait(left, signal);
    this.#onQuiet = () => {};
  }
}
