/** States that a history record knows. */
export const STATUSES = ["up", "down"] as const;
/** One of {@linkcode STATUSES}. */
export type Status = typeof STATUSES[number];

/**
 * States of a site after a run. `unknown` means that nothing was learnt, because of the configuration or
 * the runner.
 */
export const STATES = ["up", "degraded", "down", "maintenance", "unknown"] as const;
/** One of {@linkcode STATES}. */
export type State = typeof STATES[number];

/** A state that lasts until a check finds another: what a site is in between two runs. */
export type Condition = "up" | "degraded" | "down";

/** True for states whose response times count. */
export function isSuccess(state: State): boolean {
  return state === "up" || state === "degraded";
}
