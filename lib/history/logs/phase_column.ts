import type { PhasedChecks } from "../phases.ts";
import type { Moment } from "./check_column.ts";

/** Phases of the successful checks of one site while they are gathered: each check once. */
export class PhaseColumn implements PhasedChecks {
  readonly times: number[] = [];
  readonly milliseconds: number[] = [];
  readonly #runs: number[] = [];
  /** The greatest of them. */
  #last = -1;

  add({ time, run }: Moment, phases: readonly number[]): void {
    // Nearly always it is a new one.
    if (run <= this.#last && this.#runs.includes(run)) return;
    this.#last = Math.max(this.#last, run);
    this.#runs.push(run);
    this.times.push(time);
    for (const phase of phases) this.milliseconds.push(phase);
  }
}
