import type { SiteReport } from "../report/report.ts";
import { type Overall, overallOf } from "./overall.ts";
import { watchedStates } from "./watched_states.ts";

/** The overall status of some sites of a report: `nothingCurrent` if none is known any more. */
export function overallAt({ sites }: { sites: readonly SiteReport[] }): Overall {
  const overall = overallOf(watchedStates(sites));
  const wasKnown = sites.some(({ site, condition }) => !site.paused && condition !== undefined);
  return overall === "nothingKnown" && wasKnown ? "nothingCurrent" : overall;
}
