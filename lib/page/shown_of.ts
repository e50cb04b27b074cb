import type { SiteReport } from "../report/report.ts";
import { shownState } from "../report/shown_state.ts";
import type { State } from "../state.ts";

/** What a site is shown as: its state, or that it is not checked. */
export type Shown = State | "paused";

/** What a site is shown as. */
export function shownOf(report: SiteReport): Shown {
  return report.site.paused ? "paused" : shownState(report);
}
