import type { Report } from "../report/report.ts";
import { shownState } from "../report/shown_state.ts";
import type { State } from "../state.ts";

/** How the sites are that are watched: those that are paused say nothing of how everything is. */
export function watchedStates({ sites }: Report): State[] {
  return sites.filter(({ site }) => !site.paused).map(shownState);
}
