import type { Site } from "../config/config.ts";
import type { Incident } from "../history/incident.ts";
import type { Condition } from "../state.ts";
import type { Flaps } from "../evaluation/flapping.ts";
import type { CheckResult } from "../evaluation/judge.ts";
import type { Release } from "./plan.ts";

/** Something that happens to an incident, as its tracker hears of it. */
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
