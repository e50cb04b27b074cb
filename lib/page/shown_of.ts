import type { Report, SiteReport } from "../report/report.ts";
import { shownState } from "../report/shown_state.ts";
import type { State } from "../state.ts";

/** The displayed status of a site: its state, or that it is not checked. */
export type Shown = State | "paused";

/** The displayed status of a site: unknown if checks have stopped. */
export function shownOf(
  report: SiteReport,
  { report: { isOutdated } }: { report: Pick<Report, "isOutdated"> },
): Shown {
  if (report.site.paused) return "paused";
  return isOutdated ? "unknown" : shownState(report);
}
