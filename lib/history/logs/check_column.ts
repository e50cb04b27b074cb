import type { Checks } from "../../statistics/site_history.ts";

/** When runs were, and which. */
export class Moments {
  /** Milliseconds since 1970. */
  readonly times: number[] = [];
  /** Numbers of the runs. */
  readonly runs: number[] = [];

  /** Adds a moment, and returns its number. */
  add(time: number, run: number): number {
    this.runs.push(run);
    return this.times.push(time) - 1;
  }
}

/** Checks of one site while they are gathered, in columns that have room for more. */
export class CheckColumn {
  length = 0;
  readonly #moments: Moments;
  /** Numbers of the moments. */
  #at = new Uint32Array(1024);
  #states = new Uint8Array(1024);
  #durations = new Float64Array(1024);
  /** Indices of those that are imported. */
  readonly #imported: number[] = [];

  constructor(moments: Moments) {
    this.#moments = moments;
  }

  add(moment: number, state: number, duration: number, isImported: boolean): void {
    const index = this.length++;
    if (index === this.#at.length) this.#grow();
    this.#at[index] = moment;
    this.#states[index] = state;
    this.#durations[index] = duration;
    if (isImported) this.#imported.push(index);
  }

  /** Each check once, by time: clocks are set back, and runs overtake each other. */
  checks(): Checks {
    const { length } = this;
    const { times, runs } = this.#moments;
    const at = this.#at;
    const all = {
      length,
      times: new Float64Array(length),
      states: this.#states.slice(0, length),
      durations: this.#durations.slice(0, length),
      imported: new Uint8Array(length),
    };
    for (const index of this.#imported) all.imported[index] = 1;
    let isInOrder = true;
    for (let index = 0; index < length; index++) {
      all.times[index] = times[at[index]!]!;
      if (index === 0 || !isInOrder) continue;
      isInOrder = all.times[index - 1]! <= all.times[index]! &&
        runs[at[index - 1]!]! < runs[at[index]!]!;
    }
    return isInOrder ? all : this.#ordered(all);
  }

  #ordered({ length, times, states, durations, imported }: Checks): Checks {
    const first = new Map<number, number>();
    for (let index = 0; index < length; index++) {
      const run = this.#moments.runs[this.#at[index]!]!;
      if (!first.has(run)) first.set(run, index);
    }
    const order = [...first.values()].sort((a, b) => times[a]! - times[b]!);
    return {
      length: order.length,
      times: Float64Array.from(order, (index) => times[index]!),
      states: Uint8Array.from(order, (index) => states[index]!),
      durations: Float64Array.from(order, (index) => durations[index]!),
      imported: Uint8Array.from(order, (index) => imported[index]!),
    };
  }

  #grow(): void {
    const room = 2 * this.#at.length;
    this.#at = grown(this.#at, new Uint32Array(room));
    this.#states = grown(this.#states, new Uint8Array(room));
    this.#durations = grown(this.#durations, new Float64Array(room));
  }
}

function grown<T extends Float64Array | Uint8Array | Uint32Array>(from: T, to: T): T {
  to.set(from);
  return to;
}
