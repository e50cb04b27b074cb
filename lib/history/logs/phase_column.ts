import { PHASE_NAMES, type PhasedChecks } from "../../statistics/phases.ts";
import type { Moment } from "./check_column.ts";

/** Checks that there is room for before the first. */
const FIRST_ROOM = 64;

/** Phases of the successful checks of one site while they are gathered: each check once. */
export class PhaseColumn implements PhasedChecks {
  #times = new Float64Array(FIRST_ROOM);
  #milliseconds = new Float64Array(FIRST_ROOM * PHASE_NAMES.length);
  #runs = new Uint32Array(FIRST_ROOM);
  #length = 0;
  /** The greatest of the runs. */
  #last = -1;

  get times(): Float64Array {
    return this.#times.subarray(0, this.#length);
  }

  get milliseconds(): Float64Array {
    return this.#milliseconds.subarray(0, this.#length * PHASE_NAMES.length);
  }

  add({ time, run }: Moment, phases: readonly number[]): void {
    // Nearly always it is a new one.
    if (run <= this.#last && this.#runs.subarray(0, this.#length).includes(run)) return;
    this.#last = Math.max(this.#last, run);
    const index = this.#length++;
    if (index === this.#runs.length) this.#makeRoom(2 * index);
    this.#runs[index] = run;
    this.#times[index] = time;
    this.#milliseconds.set(phases, index * PHASE_NAMES.length);
  }

  #makeRoom(length: number): void {
    const before = [this.#times, this.#milliseconds, this.#runs] as const;
    this.#times = new Float64Array(length);
    this.#milliseconds = new Float64Array(length * PHASE_NAMES.length);
    this.#runs = new Uint32Array(length);
    this.#times.set(before[0]);
    this.#milliseconds.set(before[1]);
    this.#runs.set(before[2]);
  }
}
