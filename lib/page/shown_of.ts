import type { SiteReport } from "../report/report.ts";
import { shownState } from "../report/shown_state.ts";
import type { State } from "../state.ts";

/** The displayed status of a site: its state, or that it is not checked. */
export type Shown = State | "paused";

/** The displayed status of a site. */
export function shownOf(report: SiteReport): Shown {
  return report.site.paused ? "paused" : shownState(report);
}
