import type { SiteReport } from "../statistics/report/report.ts";
import { shownState } from "../statistics/report/shown_state.ts";
import type { State } from "../state.ts";
import { raisedState, type ReportedImpacts } from "./impact.ts";

/** The displayed states of sites, without paused ones, which say nothing about the whole. */
export function watchedStates(sites: readonly SiteReport[], impacts?: ReportedImpacts): State[] {
  return sites.filter(({ site }) => !site.paused)
    .map((one) => raisedState(shownState(one), impacts?.bySite.get(one.site.slug)));
}
