import { type Impact, toImpact } from "../../lib/history/manual_incident.ts";
import type { StoredIncident } from "../../lib/history/stored_incidents.ts";
import type { Phase, Update } from "../../lib/history/yaml_file.ts";
import type { FeedEvent } from "../../lib/page/feed_entries.ts";
import type { Overall } from "../../lib/page/overall.ts";
import type { State } from "../../lib/state.ts";

/** States of components from the best to the worst. */
const COMPONENT_STATES = [
  "operational",
  "under_maintenance",
  "degraded_performance",
  "partial_outage",
  "major_outage",
] as const;
export type ComponentState = typeof COMPONENT_STATES[number];

/** The state of a component by that of its site; `unknown` means that nothing was ever known of it. */
const OF_STATE: Readonly<Record<State, ComponentState>> = {
  up: "operational",
  degraded: "degraded_performance",
  down: "major_outage",
  maintenance: "under_maintenance",
  unknown: "operational",
};

const OF_IMPACT: Readonly<Record<Impact, ComponentState>> = {
  none: "operational",
  degraded: "degraded_performance",
  partial: "partial_outage",
  major: "major_outage",
};

/** Returns the state of a component, given that of its site and what people report of it. */
export function toComponentState(state: State, impacts: readonly Impact[] = []): ComponentState {
  return findWorst([OF_STATE[state], ...impacts.map((impact) => OF_IMPACT[impact])]);
}

/** The worst of some states; all is well without any. */
export function findWorst(states: readonly ComponentState[]): ComponentState {
  return COMPONENT_STATES.findLast((state) => states.includes(state)) ?? "operational";
}

export type Indicator = "none" | "maintenance" | "minor" | "major" | "critical";

export const INDICATORS: Readonly<Record<Overall, Indicator>> = {
  nothingMonitored: "none",
  nothingKnown: "none",
  nothingCurrent: "none",
  allSystemsOperational: "none",
  partlyKnown: "none",
  underMaintenance: "maintenance",
  degradedService: "minor",
  allDegraded: "minor",
  minorOutage: "minor",
  partialOutage: "major",
  majorOutage: "critical",
};

const MANUAL_IMPACTS = {
  none: "none",
  degraded: "minor",
  partial: "major",
  major: "critical",
} as const satisfies Record<Impact, Indicator>;

/** Returns how bad an incident is. */
export function toIncidentImpact(incident: StoredIncident): Indicator {
  if (incident.kind === "maintenance") return "maintenance";
  if (incident.kind === "manual") return MANUAL_IMPACTS[toImpact(incident)];
  return incident.kind === "down" ? "major" : "minor";
}

const PHASES = {
  investigating: "investigating",
  identified: "identified",
  monitoring: "monitoring",
  resolved: "resolved",
  "post-mortem": "postmortem",
} as const satisfies Record<Phase, string>;

export type IncidentStatus =
  | typeof PHASES[Phase]
  | "scheduled"
  | "in_progress"
  | "verifying"
  | "completed";

/** The phase of an incident after some updates; without a phase yet it is being investigated. */
export function toPhase(updates: readonly Pick<Update, "phase">[]): IncidentStatus {
  const phase = updates.findLast((one) => one.phase !== undefined)?.phase;
  return PHASES[phase ?? "investigating"];
}

/** The status of maintenance that is not over, after some updates. */
export function toMaintenanceStatus(
  isAhead: boolean,
  updates: readonly Pick<Update, "phase">[],
): IncidentStatus {
  if (isAhead) return "scheduled";
  const phase = toPhase(updates);
  return phase === "monitoring" || phase === "resolved" ? "verifying" : "in_progress";
}

/** The state in which checks found a site, by what feeds say of it. */
export const STATES_OF_EVENTS: Readonly<Partial<Record<FeedEvent, ComponentState>>> = {
  down: OF_STATE.down,
  degraded: OF_STATE.degraded,
  recovered: OF_STATE.up,
};
