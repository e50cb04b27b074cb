import type { Clock } from "../../lib/io/clock.ts";
import type { ProbeResult } from "../../lib/evaluation/results.ts";

/** Milliseconds after which a change is recorded, however long other sites take, so that it is sent within 20 s. */
const LONGEST_WAIT = 16_000;
/** Milliseconds that the first change waits for others, even if no other site is being confirmed. */
const SETTLING = 1_000;

/**
 * Records changes while other sites are still being checked. A change waits for sites that are being
 * confirmed too, so that they are reported together, but never longer than {@linkcode LONGEST_WAIT}.
 */
export class EarlyRecorder {
  /** Results by slug that were recorded; they are final. */
  readonly recorded = new Map<string, ProbeResult>();
  readonly #over = new AbortController();
  readonly #pending: Set<string>;
  /** Sites whose first attempt did not settle their state. */
  readonly #confirming = new Set<string>();
  #results: ProbeResult[] = [];
  /** Time of the first change that is not recorded yet, in milliseconds of `clock.elapsed()`. */
  #changedAt?: number;
  #working?: Promise<void>;
  #onQuiet = () => {};

  constructor(
    readonly options: {
      clock: Clock;
      slugs: Iterable<string>;
      /** Records results and returns those that were recorded; the others wait for the next call, or the end of the run. */
      record(results: readonly ProbeResult[]): Promise<readonly ProbeResult[]>;
    },
  ) {
    this.#pending = new Set(options.slugs);
  }

  /** True if the result of a site is still to come. */
  isPending(slug: string): boolean {
    return this.#pending.has(slug);
  }

  attempted(slug: string): void {
    this.#confirming.add(slug);
  }

  /** Called when the attempts on a site have ended; its result may still wait for those of others. */
  evaluated(slug: string): void {
    this.#confirming.delete(slug);
    if (this.#confirming.size === 0) this.#onQuiet();
  }

  add(result: ProbeResult, isChange: boolean): void {
    const { slug } = result.site;
    this.#results.push(result);
    this.#pending.delete(slug);
    this.evaluated(slug);
    if (this.#pending.size === 0) this.#over.abort();
    if (!isChange) return;
    this.#changedAt ??= this.options.clock.elapsed();
    this.#working ??= this.#work();
  }

  /** Stops recording early; the caller records the rest. */
  async end(): Promise<void> {
    this.#over.abort();
    await this.#working;
  }

  async #work(): Promise<void> {
    const { signal } = this.#over;
    while (this.#changedAt !== undefined && !signal.aborted) {
      await this.#waitForGroup(this.#changedAt + LONGEST_WAIT);
      if (signal.aborted) break;
      this.#changedAt = undefined;
      const recorded = new Set(await this.options.record([...this.#results]));
      for (const result of recorded) this.recorded.set(result.site.slug, result);
      this.#results = this.#results.filter((result) => !recorded.has(result));
    }
    this.#working = undefined;
  }

  /** Waits until no other site is being confirmed, at most until `latest`. */
  async #waitForGroup(latest: number): Promise<void> {
    const { clock } = this.options;
    const quiet = new AbortController();
    const signal = AbortSignal.any([this.#over.signal, quiet.signal]);
    await clock.wait(SETTLING, this.#over.signal);
    this.#onQuiet = () => quiet.abort();
    const left = latest - clock.elapsed();
    if (this.#confirming.size > 0 && left > 0) await clock.wait(left, signal);
    this.#onQuiet = () => {};
  }
}
