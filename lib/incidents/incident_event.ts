import type { Site } from "../config/config.ts";
import type { Flaps } from "../evaluation/flapping.ts";
import type { SiteState } from "../evaluation/results.ts";
import type { Incident } from "../history/incident.ts";
import type { Effect } from "../outbox/effect.ts";
import type { Condition } from "../state.ts";
import { formatTime } from "../time.ts";
import type { Before } from "./hints.ts";
import type { Release } from "./plan_incident.ts";

export interface IncidentEvent {
  /**
   * `update` if a degraded site is down, or the reverse; `flap` if it starts to flap; `reason` if it fails
   * for another reason; `affects` if it makes others fail; `acknowledge` if somebody has taken it on by the
   * command, which GitHub does not show.
   */
  action: "open" | "update" | "reopen" | "close" | "flap" | "reason" | "affects" | "acknowledge";
  id: string;
  incident: Incident;
  /** New state of the site; absent if it is no longer monitored, which ends its incident. */
  condition?: Condition;
  /** Start of that state: the first attempt that showed it. */
  at: Temporal.Instant;
  site?: Site;
  /** Result of this run; absent if the event belongs to an earlier run. */
  result?: SiteState;
  /** Number of recent changes, if the site starts to flap. */
  flaps?: Flaps;
  /** Names of the sites that fail because of it since this run; absent if there are none. */
  affected?: readonly string[];
  released?: Release;
  /** The site before the incident; absent if it was never up. */
  before?: Before;
}

/** Identifies an event, the same in every run. Events that can recur after a reopening are counted. */
export function eventId({ action, id, incident, condition, at }: IncidentEvent): string {
  const times = incident.reopened.length;
  if (action === "affects") return `${id}/affects-${incident.affects.length}`;
  if (action === "reason") return `${id}/reason@${formatTime(incident.reasons.at(-1)!.at)}`;
  if (action === "acknowledge") return `${id}/acknowledged@${formatTime(at)}`;
  if (action === "flap") return `${id}/flapping@${formatTime(at)}`;
  if (action === "update") return `${id}/${condition}@${formatTime(at)}`;
  if (action === "reopen") return `${id}/reopen-${times}`;
  return action === "close" && times > 0 ? `${id}/close-${times + 1}` : `${id}/${action}`;
}

/** An incident with the group of its site. */
export interface GroupedIncident {
  id: string;
  incident: Incident;
  group?: string;
}

/** A change to an issue that the incidents of a group share. */
export interface SharedIssueEvent {
  action: "open" | "update" | "reopen" | "close";
  /** Of the effect. */
  id: string;
  /** Id of the issue in its marker. */
  issue: string;
  group?: string;
  /** Number of the issue, if it is known. */
  number?: number;
  /** Start of its earliest open incident, else of the one that ended last. */
  start: Temporal.Instant;
  /** Its open incidents; empty if it closes. */
  open: readonly GroupedIncident[];
}

export interface Tracker {
  readonly place: string;
  /** Plans the effects of an event. `isTracked` is true if the incident is or will be published. */
  plan(event: IncidentEvent, isTracked: boolean): Effect[];
  /** Plans the effects of a change to an issue that several incidents share; absent if none are shared. */
  planShared?(event: SharedIssueEvent): Effect[];
}
