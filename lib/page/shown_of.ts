import type { Report, SiteReport } from "../report/report.ts";
import { shownState } from "../report/shown_state.ts";
import type { State } from "../state.ts";
import { isOutdated } from "./page_time.ts";

/** What a site is shown as: its state, or that it is not checked. */
export type Shown = State | "paused";

/** The page that a site is shown on: when it is of, and the last check that it knows. */
export interface ShownOn {
  report: Pick<Report, "time">;
  checks?: Temporal.Instant;
}

/** What a site is shown as; how it was says nothing where checks have stopped. */
export function shownOf(report: SiteReport, { checks, report: { time } }: ShownOn): Shown {
  if (report.site.paused) return "paused";
  return isOutdated(checks, time) ? "unknown" : shownState(report);
}
