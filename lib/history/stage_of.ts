import { isBefore } from "../time.ts";
import type { StoredIncident } from "./stored_incidents.ts";

/** Whether an incident goes on, is ahead, or is over. */
export type Stage = "open" | "ahead" | "over";

/** The stage of an incident at a moment. */
export function stageOf(incident: StoredIncident, now: Temporal.Instant): Stage {
  if (incident.end !== undefined) return "over";
  return isBefore(now, incident.start) ? "ahead" : "open";
}

/** Whether something that people announced was called off before it began. */
export function isCalledOff(incident: StoredIncident): boolean {
  const isOfSite = incident.kind === "down" || incident.kind === "degraded";
  return !isOfSite && incident.end?.equals(incident.start) === true;
}

/** When an incident ended, or will; absent while nobody knows. */
export function endOf(incident: StoredIncident): Temporal.Instant | undefined {
  return incident.end ?? (incident.kind === "maintenance" ? incident.until : undefined);
}
