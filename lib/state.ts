/** States that a history record knows. */
export const STATUSES = ["up", "down"] as const;
export type Status = typeof STATUSES[number];

/** States of a site. `unknown` means that nothing was learnt, because of the configuration or the runner. */
export const STATES = ["up", "degraded", "down", "maintenance", "unknown"] as const;
export type State = typeof STATES[number];

/** States in which a visitor finds something other than usual, the worst first. */
export const PROBLEMS = ["down", "degraded", "maintenance"] as const satisfies readonly State[];
type ProblemState = typeof PROBLEMS[number];

export function isProblem(state: string): state is ProblemState {
  return PROBLEMS.some((one) => one === state);
}

/** A state that lasts between runs, until a check confirms another. */
export type Condition = "up" | "degraded" | "down";

export function isCondition(state: string | undefined): state is Condition {
  return state === "up" || state === "degraded" || state === "down";
}

/** True for states whose response times count. */
export function isSuccess(state: State): boolean {
  return state === "up" || state === "degraded";
}
