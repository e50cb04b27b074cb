import type { Checks } from "../site_history.ts";

/** When a run was, and which. */
export interface Moment {
  /** Milliseconds since 1970. */
  time: number;
  /** Number of the run. */
  run: number;
}

/** Columns of as many checks as there is room for. */
interface Room extends Omit<Checks, "length"> {
  /** Numbers of the runs that the checks were made in. */
  readonly runs: Uint32Array;
}

/** Checks of one site while they are gathered, in columns that have room for more. */
export class CheckColumn {
  length = 0;
  #room = roomFor(512);
  #isInOrder = true;
  /** Of the check that was added last. */
  #last: Moment = { time: -Infinity, run: -1 };

  add(moment: Moment, state: number, duration: number, isImported: boolean): void {
    const index = this.length++;
    if (index === this.#room.runs.length) this.reserve(2 * index);
    const { times, runs, states, durations, imported } = this.#room;
    const { time, run } = moment;
    times[index] = time;
    runs[index] = run;
    states[index] = state;
    durations[index] = duration;
    if (isImported) imported[index] = 1;
    // Clocks are set back, and runs overtake each other.
    if (!(this.#last.time <= time && this.#last.run < run)) this.#isInOrder = false;
    this.#last = moment;
  }

  /** Makes room for so many checks in all. */
  reserve(length: number): void {
    const { times, runs, states, durations, imported } = this.#room;
    if (length <= runs.length) return;
    this.#room = roomFor(length);
    this.#room.times.set(times);
    this.#room.runs.set(runs);
    this.#room.states.set(states);
    this.#room.durations.set(durations);
    this.#room.imported.set(imported);
  }

  /** Each check once, by time; columns that need no order are not copied, and stay as they are if more are added. */
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
    const { times, runs, states, durations, imported } = this.#room;
    const first = new Map<number, number>();
    for (let index = 0; index < this.length; index++) {
      const run = runs[index]!;
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

/** All columns are in one piece of memory: of a large one, what is not used is never touched. */
function roomFor(length: number): Room {
  const memory = new ArrayBuffer((8 + 8 + 4 + 1 + 1) * length);
  return {
    times: new Float64Array(memory, 0, length),
    durations: new Float64Array(memory, 8 * length, length),
    runs: new Uint32Array(memory, 16 * length, length),
    states: new Uint8Array(memory, 20 * length, length),
    imported: new Uint8Array(memory, 21 * length, length),
  };
}
