import type { SiteReport } from "../report/report.ts";
import { shownState } from "../report/shown_state.ts";
import type { State } from "../state.ts";

/** How those of some sites are that are watched: paused ones say nothing of how everything is. */
export function watchedStates(sites: readonly SiteReport[]): State[] {
  return sites.filter(({ site }) => !site.paused).map(shownState);
}
