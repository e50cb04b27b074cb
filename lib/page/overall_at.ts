import type { Report } from "../report/report.ts";
import { type Overall, overallOf } from "./overall.ts";
import { watchedStates } from "./watched_states.ts";

/** The overall status of a report: `nothingCurrent` if checks have stopped. */
export function overallAt({ sites, isOutdated }: Pick<Report, "sites" | "isOutdated">): Overall {
  const states = watchedStates(sites);
  return states.length > 0 && isOutdated ? "nothingCurrent" : overallOf(states);
}
