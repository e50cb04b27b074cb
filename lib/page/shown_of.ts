import type { Report, SiteReport } from "../statistics/report/report.ts";
import { shownState } from "../statistics/report/shown_state.ts";
import type { State } from "../state.ts";
import { raisedState } from "./impact.ts";

/** The displayed status of a site: its state, or that it is not checked. */
export type Shown = State | "paused";

/** The displayed status of a site, raised by reported impacts. */
export function shownOf(
  report: SiteReport,
  { report: { impacts } }: { report: Pick<Report, "impacts"> },
): Shown {
  if (report.site.paused) return "paused";
  return raisedState(shownState(report), impacts?.bySite.get(report.site.slug));
}
