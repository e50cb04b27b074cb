import type { Site } from "../config/config.ts";
import type { Flaps } from "../evaluation/flapping.ts";
import type { CheckResult } from "../evaluation/judge.ts";
import type { Incident } from "../history/incident.ts";
import type { Effect } from "../outbox/effect.ts";
import type { Condition } from "../state.ts";
import { formatTime } from "../time.ts";
import type { Release } from "./plan_incident.ts";

/** Something that happens to an incident, as its tracker is notified of it. */
export interface IncidentEvent {
  /**
   * `update` if a degraded site is down, or the reverse; `flap` if it starts to flap; `reason` if it fails
   * for another reason; `affects` if it makes others fail.
   */
  action: "open" | "update" | "reopen" | "close" | "flap" | "reason" | "affects";
  id: string;
  /** The incident as it is after this. */
  incident: Incident;
  /** How the site is now; absent where it is no longer monitored, which ends its incident. */
  condition?: Condition;
  /** When that began: the first attempt that showed it. */
  at: Temporal.Instant;
  /** Absent where it is no longer monitored. */
  site?: Site;
  /** What the run saw; absent where it only makes up for what earlier runs could not tell. */
  result?: CheckResult;
  /** The incident that this one is a duplicate of, which ends it. */
  original?: { id: string; issue?: number };
  /** Number of recent changes, if the site starts to flap. */
  flaps?: Flaps;
  /** Names of the sites that fail because of it since this run; absent where there are none. */
  affected?: readonly string[];
  /** What it had been put down to until now, so that nobody was told of it; absent where it was not. */
  released?: Release;
}

/**
 * What tells an event from all others, the same whoever sees it: what happens once to an incident, or
 * once after each time it was reopened.
 */
export function eventId({ action, id, incident, condition, at }: IncidentEvent): string {
  const times = incident.reopened.length;
  if (action === "affects") return `${id}/affects-${incident.affects.length}`;
  if (action === "reason") return `${id}/reason@${formatTime(incident.reasons.at(-1)!.at)}`;
  if (action === "flap") return `${id}/flapping@${formatTime(at)}`;
  if (action === "update") return `${id}/${condition}@${formatTime(at)}`;
  if (action === "reopen") return `${id}/reopen-${times}`;
  return action === "close" && times > 0 ? `${id}/close-${times + 1}` : `${id}/${action}`;
}

/** Keeps incidents where people see them. */
export interface Tracker {
  /** Where that is, for people. */
  readonly place: string;
  /**
   * What is owed to the outside because of something that happens to an incident. `isTracked` says
   * whether the incident is there already, or on its way there.
   */
  owes(event: IncidentEvent, isTracked: boolean): Effect[];
}
