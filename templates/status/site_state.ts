import { paint } from "../../lib/paint.ts";
import type { SiteReport } from "../../lib/report/report.ts";
import { shownState } from "../../lib/report/shown_state.ts";
import type { State } from "../../lib/state.ts";
import { longDuration, shortDuration } from "../measures.ts";
import { stateMark } from "../terminal/check_lines.ts";

/** How a site is now, for people. */
export interface PresentState {
  /** A coloured sign, one column wide. */
  mark: string;
  word: Exclude<State, "unknown"> | "paused" | "no data";
  /** Seconds that it has been so; absent where that is not known. */
  seconds?: number;
}

/** How a site is now: paused, in maintenance by its last check, or as its record says. */
export function presentState(report: SiteReport, now: Temporal.Instant): PresentState {
  const { site, record } = report;
  if (site.paused) return { mark: paint.dim("‖"), word: "paused" };
  const state = shownState(report);
  const mark = stateMark(state);
  if (state === "maintenance") return { mark, word: state };
  if (state === "unknown" || record === undefined) return { mark, word: "no data" };
  return { mark, word: state, seconds: Math.max(0, now.since(record.since).total("seconds")) };
}

/** The word with how long it has been so: `down 2h 5m`. */
export function briefState({ word, seconds }: PresentState): string {
  return seconds === undefined ? word : `${word} ${shortDuration(seconds)}`;
}

/** The same in full: `down for 2 hours, 5 minutes`. */
export function fullState({ word, seconds }: PresentState): string {
  return seconds === undefined ? word : `${word} for ${longDuration(Math.max(1, seconds))}`;
}
