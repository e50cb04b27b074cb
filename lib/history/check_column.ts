import type { Checks } from "../statistics/site_history.ts";

/** Checks of one site while they are gathered, in columns that have room for more. */
export class CheckColumn {
  length = 0;
  times = new Float64Array(64);
  states = new Uint8Array(64);
  durations = new Float64Array(64);
  imported = new Uint8Array(64);
  /** Numbers of the runs. */
  runs = new Uint32Array(64);

  add(run: number, time: number, state: number, duration: number, isImported: boolean): void {
    const index = this.length++;
    if (index === this.times.length) this.#grow();
    this.runs[index] = run;
    this.times[index] = time;
    this.states[index] = state;
    this.durations[index] = duration;
    this.imported[index] = isImported ? 1 : 0;
  }

  /** Each check once, by time: clocks are set back, and runs overtake each other. */
  checks(): Checks {
    const { length, times, runs } = this;
    let isInOrder = true;
    for (let index = 1; index < length && isInOrder; index++) {
      isInOrder = times[index - 1]! <= times[index]! && runs[index - 1]! < runs[index]!;
    }
    if (isInOrder) {
      return {
        length,
        times: times.slice(0, length),
        states: this.states.slice(0, length),
        durations: this.durations.slice(0, length),
        imported: this.imported.slice(0, length),
      };
    }
    const first = new Map<number, number>();
    for (let index = 0; index < length; index++) {
      if (!first.has(runs[index]!)) first.set(runs[index]!, index);
    }
    const order = [...first.values()].sort((a, b) => times[a]! - times[b]!);
    return {
      length: order.length,
      times: Float64Array.from(order, (index) => times[index]!),
      states: Uint8Array.from(order, (index) => this.states[index]!),
      durations: Float64Array.from(order, (index) => this.durations[index]!),
      imported: Uint8Array.from(order, (index) => this.imported[index]!),
    };
  }

  #grow(): void {
    this.times = grown(this.times, new Float64Array(2 * this.times.length));
    this.states = grown(this.states, new Uint8Array(2 * this.states.length));
    this.durations = grown(this.durations, new Float64Array(2 * this.durations.length));
    this.imported = grown(this.imported, new Uint8Array(2 * this.imported.length));
    this.runs = grown(this.runs, new Uint32Array(2 * this.runs.length));
  }
}

function grown<T extends Float64Array | Uint8Array | Uint32Array>(from: T, to: T): T {
  to.set(from);
  return to;
}
