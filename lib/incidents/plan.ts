import { endIncident, type Incident } from "../history/incident.ts";
import type { CheckResult } from "../verdict/judge.ts";

/** What happens to the incident of a site. */
export interface IncidentPlan {
  action: "open" | "update" | "close";
  incident: Incident;
}

/**
 * What a result means for the incident of its site: one is opened where the site is not as it should
 * be and none is open, told anew where degraded became down, and closed by the first good check.
 * `since` is when the condition began.
 */
export function planIncident(
  result: CheckResult,
  open: Incident | undefined,
  since: Temporal.Instant,
): IncidentPlan | undefined {
  const { site: { slug }, state, code, error = "", attempts, confirmed, began } = result;
  if (state === "unknown") return undefined;
  if (state === "up") {
    return open === undefined ? undefined : { action: "close", incident: endIncident(open, began) };
  }
  if (open === undefined) {
    const incident = { slug, kind: state, start: since, confirmed, code, error, attempts };
    return { action: "open", incident };
  }
  if (state === "degraded" || open.kind === "down") return undefined;
  return { action: "update", incident: { ...open, kind: "down", code, error, attempts } };
}
