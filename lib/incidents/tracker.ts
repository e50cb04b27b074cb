import type { Effect } from "../outbox/effect.ts";
import type { IncidentEvent } from "./event.ts";

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
