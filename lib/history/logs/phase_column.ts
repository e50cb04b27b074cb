import type { PhasedChecks } from "../../statistics/phases.ts";

/** Phases of the successful checks of one site while they are gathered: each check once. */
export class PhaseColumn implements PhasedChecks {
  readonly times: number[] = [];
  readonly milliseconds: number[] = [];
  readonly #runs: number[] = [];

  add(run: number, time: number, phases: readonly number[]): void {
    // Nearly always it is a new one.
    if (run <= (this.#runs.at(-1) ?? -1) && this.#runs.includes(run)) return;
    this.#runs.push(run);
    this.times.push(time);
    for (const phase of phases) this.milliseconds.push(phase);
  }
}
