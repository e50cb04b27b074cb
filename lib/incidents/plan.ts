import { endIncident, type Incident } from "../history/incident.ts";
import type { CheckResult } from "../verdict/judge.ts";

/** What happens to the incident of a site. */
export interface IncidentPlan {
  action: "open" | "update" | "close";
  incident: Incident;
}

/**
 * What a result means for the incident of its site: one is opened where the site is not as it should
 * be and none is open, told anew where degraded became down, and closed once the site is up and not
 * flapping. `since` is when the condition began. A clock that was set back ends no incident before it
 * began.
 */
export function planIncident(
  result: CheckResult,
  open: Incident | undefined,
  since: Temporal.Instant,
): IncidentPlan | undefined {
  const { site: { slug }, state, code, error = "", confirmed, flapping } = result;
  const attempts = result.confirmedBy ?? result.attempts;
  if (state === "unknown" || state === "maintenance") return undefined;
  if (state === "up") {
    if (open === undefined || flapping) return undefined;
    return { action: "close", incident: endIncident(open, since) };
  }
  if (open === undefined) {
    const incident = { slug, kind: state, start: since, confirmed, code, error, attempts };
    return { action: "open", incident };
  }
  if (state === "degraded" || open.kind === "down") return undefined;
  return {
    action: "update",
    incident: { ...open, kind: "down", confirmed, code, error, attempts },
  };
}
