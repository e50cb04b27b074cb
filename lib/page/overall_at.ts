import type { Report } from "../report/report.ts";
import { type Overall, overallOf } from "./overall.ts";
import { isOutdated } from "./page_time.ts";
import { watchedStates } from "./watched_states.ts";

/**
 * How everything is by a report that is of a moment which `pageTime` made, given the last check that it knows:
 * how it was says nothing where checks have stopped.
 */
export function overallAt(
  { sites, time }: Pick<Report, "sites" | "time">,
  checks: Temporal.Instant | undefined,
): Overall {
  const states = watchedStates(sites);
  return states.length > 0 && isOutdated(checks, time) ? "nothingCurrent" : overallOf(states);
}
