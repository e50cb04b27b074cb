import { paint } from "../../lib/text/paint.ts";
import type { SiteReport } from "../../lib/statistics/report/report.ts";
import { shownState } from "../../lib/statistics/report/shown_state.ts";
import type { State } from "../../lib/state.ts";
import { longDuration, shortDuration } from "../measures.ts";
import { stateMark } from "../terminal/check_lines.ts";

/** The present state of a site, for people. */
export interface PresentState {
  /** A coloured sign, one column wide. */
  mark: string;
  word: State | "paused" | "no data";
  /** Seconds since it started; of an unknown state, seconds since the last check that had a result. */
  seconds?: number;
}

/** The present state of a site: paused, or its displayed state; `no data` if it was never checked. */
export function presentState(report: SiteReport, now: Temporal.Instant): PresentState {
  const { site, record, lastCheck = record?.lastUpdated } = report;
  if (site.paused) return { mark: paint.dim("‖"), word: "paused" };
  const state = shownState(report);
  const mark = stateMark(state);
  if (state === "maintenance") return { mark, word: state };
  if (record === undefined || lastCheck === undefined) {
    return { mark, word: isChecked(report) ? "unknown" : "no data" };
  }
  const since = state === "unknown" ? lastCheck : record.since;
  return { mark, word: state, seconds: Math.max(0, now.since(since).total("seconds")) };
}

/** The word with how long it has been so: `down 2h 5m`. */
export function briefState({ word, seconds }: PresentState): string {
  return seconds === undefined || word === "unknown" ? word : `${word} ${shortDuration(seconds)}`;
}

/** The same in full: `down for 2 hours, 5 minutes`. */
export function fullState({ word, seconds }: PresentState): string {
  if (seconds === undefined) return word;
  const length = longDuration(Math.max(1, seconds));
  return word === "unknown" ? `unknown, last checked ${length} ago` : `${word} for ${length}`;
}

/** True if a run has checked the site, with or without a result. */
export function isChecked({ record, evidence }: SiteReport): boolean {
  return record !== undefined || evidence.checks.length > 0;
}
