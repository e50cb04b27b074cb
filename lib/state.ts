/** Whether a site answers as it should: the two words a history record knows. */
export const STATUSES = ["up", "down"] as const;
/** One of {@linkcode STATUSES}. */
export type Status = typeof STATUSES[number];

/**
 * What one run found out about a site. `unknown` means that nothing was learnt: the configuration is
 * at fault or the monitor itself could not look.
 */
export const STATES = ["up", "degraded", "down", "maintenance", "unknown"] as const;
/** One of {@linkcode STATES}. */
export type State = typeof STATES[number];

/** A state that lasts until a check finds another: what a site is in between two runs. */
export type Condition = "up" | "degraded" | "down";

/** Whether a check of a state is a successful one, whose response time counts. */
export function isSuccess(state: State): boolean {
  return state === "up" || state === "degraded";
}

/** Whether checks are successful ones, by the index of their state in {@linkcode STATES}. */
export const SUCCESSFUL: readonly boolean[] = STATES.map(isSuccess);
