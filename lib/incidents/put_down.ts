import type { Incident } from "../history/incident.ts";
import type { Cause } from "../evaluation/explanation.ts";
import type { CheckResult } from "../evaluation/judge.ts";
import type { IncidentPlan, Release } from "./plan.ts";

/** What is known when it is decided whether an incident is put down to something. */
export interface Ground {
  /** The incident that goes on, as it was before. */
  open?: Incident;
  /** What is down that the site depends on. */
  cause?: Cause;
  /** What to say of what the incident was put down to until now. */
  release(cause: string): Release;
}

/** Whether nobody was ever told of an incident, because it is put down to another. */
export function isUntold({ cause, told }: Pick<Incident, "cause" | "told">): boolean {
  return cause !== undefined && told === undefined;
}

/**
 * What becomes of the plan for an incident, given what its site depends on. What begins or gets worse while
 * something is down that the site depends on is put down to that, and noted in the file alone. Once nothing
 * of it is down any more, what goes on is told as if it had begun now; what ended before is not told at all,
 * unless people knew of it from before.
 */
export function putDown(
  { state }: Pick<CheckResult, "state">,
  plan: IncidentPlan | undefined,
  { open, cause, release }: Ground,
): IncidentPlan | undefined {
  if (state !== "down" && state !== "degraded") {
    return plan !== undefined && isUntold(plan.incident) ? { ...plan, action: "note" } : plan;
  }
  const incident = plan?.incident ?? open;
  if (incident === undefined) return undefined;
  const { cause: _, told: __, ...free } = incident;
  const before = open?.cause;
  const was = open === undefined ? undefined : before === undefined ? stateOf(open) : open.told;
  if (cause !== undefined) {
    const isPut = before !== undefined || was === undefined || (was !== state && state === "down");
    if (!isPut) return plan;
    if (plan === undefined && before === cause.id) return undefined;
    const told = was === undefined ? {} : { told: was };
    return { action: "note", incident: { ...free, cause: cause.id, ...told } };
  }
  if (before === undefined) return plan === undefined ? undefined : { ...plan, incident: free };
  if (was === state) return { action: "note", incident: free };
  const action = was !== undefined ? "update" : free.reopened.length > 0 ? "reopen" : "open";
  return { action, incident: free, released: release(before) };
}

/** How the site is by its incident. */
export function stateOf({ changes, kind }: Incident): "down" | "degraded" {
  return changes.at(-1)?.state ?? kind;
}
