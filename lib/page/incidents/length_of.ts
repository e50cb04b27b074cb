import { endOf, stageOf } from "../../history/stage_of.ts";
import type { StoredIncident } from "../../history/stored_incidents.ts";
import { secondsOpen } from "../../statistics/down_pieces.ts";

/**
 * Seconds that an incident has lasted, or of maintenance that is still to come will; without the times in
 * which its site was up before it went on.
 */
export function lengthOf(incident: StoredIncident, now: Temporal.Instant): number {
  const isAhead = incident.kind === "maintenance" && stageOf(incident, now) === "ahead";
  const to = incident.end ?? (isAhead ? endOf(incident)! : now);
  if (incident.kind === "down" || incident.kind === "degraded") {
    return secondsOpen(incident, { from: -Infinity, to: to.epochMilliseconds });
  }
  return Math.max(0, to.since(incident.start).total("seconds"));
}
