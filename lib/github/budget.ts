/** Why nothing more is asked: the time for it is used up. */
export class BudgetError extends Error {
  override readonly name = "BudgetError";
  /** Whether the work had begun by then. */
  constructor(readonly milliseconds: number, readonly begun: boolean) {
    super(`Budget of ${milliseconds} ms`);
  }
}

/** Time for several pieces of work; only time in which one of them is under way is counted. */
export class Budget {
  readonly #total: number;
  readonly #elapsed: () => number;
  readonly #end = new AbortController();
  readonly #spent = Promise.withResolvers<never>();
  #left: number;
  #underWay = 0;
  #since = 0;
  #timer?: ReturnType<typeof setTimeout>;

  /** `elapsed` gives the milliseconds since some moment. */
  constructor(milliseconds: number, elapsed: () => number) {
    this.#total = milliseconds;
    this.#left = milliseconds;
    this.#elapsed = elapsed;
    this.#spent.promise.catch(() => {});
  }

  /** Aborted once the time is used up. */
  get signal(): AbortSignal {
    return this.#end.signal;
  }

  /** @throws {BudgetError} Where the time is used up, before or while the work is done. */
  async spend<T>(work: () => Promise<T>): Promise<T> {
    if (this.#left <= 0 || this.signal.aborted) throw new BudgetError(this.#total, false);
    this.#enter();
    try {
      return await Promise.race([work(), this.#spent.promise]);
    } finally {
      this.#leave();
    }
  }

  #enter(): void {
    if (this.#underWay++ > 0) return;
    this.#since = this.#elapsed();
    this.#timer = setTimeout(() => {
      this.#spent.reject(new BudgetError(this.#total, true));
      this.#end.abort();
    }, this.#left);
  }

  #leave(): void {
    if (--this.#underWay > 0) return;
    clearTimeout(this.#timer);
    this.#left = Math.max(0, this.#left - (this.#elapsed() - this.#since));
  }
}
