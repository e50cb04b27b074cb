import type { StoredIncident } from "../../lib/history/stored_incidents.ts";

/** Something that happened to an incident. */
export interface IncidentChange {
  at: Temporal.Instant;
  word: "down" | "degraded" | "ended" | "reopened";
}

/** What the checks made of an incident of a site, in its order; nothing for others. */
export function changesOf(incident: StoredIncident): IncidentChange[] {
  if (incident.kind === "maintenance" || incident.kind === "manual") return [];
  const { start, kind, changes, reopened, ended, end } = incident;
  const [first] = changes;
  const began = first === undefined ? kind : first.state === "down" ? "degraded" : "down";
  const all: IncidentChange[] = [
    { at: start, word: began },
    ...changes.map(({ at, state }) => ({ at, word: state })),
    ...ended.map((at) => ({ at, word: "ended" as const })),
    ...reopened.map((at) => ({ at, word: "reopened" as const })),
    ...end === undefined ? [] : [{ at: end, word: "ended" as const }],
  ];
  return all.sort((one, other) => Temporal.Instant.compare(one.at, other.at));
}
