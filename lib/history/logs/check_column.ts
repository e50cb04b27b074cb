import type { Checks } from "../../statistics/site_history.ts";

/** When a run was, and which. */
export interface Moment {
  /** Milliseconds since 1970. */
  time: number;
  /** Number of the run. */
  run: number;
}

/** Columns of as many checks as there is room for, but the runs they were made in. */
type Room = Omit<Checks, "length">;

/** Checks of one site while they are gathered, in columns that have room for more. */
export class CheckColumn {
  length = 0;
  #room = roomFor(1024);
  /** Numbers of the runs. */
  #runs = new Uint32Array(1024);
  #isInOrder = true;

  add({ time, run }: Moment, state: number, duration: number, isImported: boolean): void {
    const index = this.length++;
    if (index === this.#runs.length) this.reserve(2 * index);
    const { times, states, durations, imported } = this.#room;
    times[index] = time;
    states[index] = state;
    durations[index] = duration;
    if (isImported) imported[index] = 1;
    this.#runs[index] = run;
    if (index === 0) return;
    // Clocks are set back, and runs overtake each other.
    if (!(times[index - 1]! <= time && this.#runs[index - 1]! < run)) this.#isInOrder = false;
  }

  /** Makes room for so many checks. */
  reserve(length: number): void {
    if (length <= this.#runs.length) return;
    const { times, states, durations, imported } = this.#room;
    this.#room = roomFor(length);
    this.#room.times.set(times);
    this.#room.states.set(states);
    this.#room.durations.set(durations);
    this.#room.imported.set(imported);
    const runs = this.#runs;
    this.#runs = new Uint32Array(length);
    this.#runs.set(runs);
  }

  /** Each check once, by time. */
  checks(): Checks {
    const { length } = this;
    const { times, states, durations, imported } = this.#room;
    if (!this.#isInOrder) return this.#ordered();
    return {
      length,
      times: times.subarray(0, length),
      states: states.subarray(0, length),
      durations: durations.subarray(0, length),
      imported: imported.subarray(0, length),
    };
  }

  #ordered(): Checks {
    const { times, states, durations, imported } = this.#room;
    const first = new Map<number, number>();
    for (let index = 0; index < this.length; index++) {
      const run = this.#runs[index]!;
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
}

function roomFor(length: number): Room {
  return {
    times: new Float64Array(length),
    states: new Uint8Array(length),
    durations: new Float64Array(length),
    imported: new Uint8Array(length),
  };
}
