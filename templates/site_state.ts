import { paint } from "../lib/paint.ts";
import { STATES } from "../lib/state.ts";
import type { SiteReport } from "../lib/statistics/report.ts";
import { stateMark } from "./check_lines.ts";
import { longDuration, shortDuration } from "./measures.ts";

/** How a site is now, for people. */
export interface ShownState {
  /** A coloured sign, one column wide. */
  mark: string;
  word: string;
  /** Seconds that it has been so; absent where that is not known. */
  seconds?: number;
}

/** How a site is now: paused, in maintenance by its last check, or as its record says. */
export function shownState(
  { site, record, condition, history }: SiteReport,
  now: Temporal.Instant,
): ShownState {
  if (site.paused) return { mark: paint.dim("‖"), word: "paused" };
  if (record === undefined || condition === undefined) {
    return { mark: stateMark("unknown"), word: "no data" };
  }
  const { checks } = history;
  if (STATES[checks.states[checks.length - 1] ?? 0] === "maintenance") {
    return { mark: stateMark("maintenance"), word: "maintenance" };
  }
  const seconds = Math.max(0, now.since(record.since).total("seconds"));
  return { mark: stateMark(condition), word: condition, seconds };
}

/** The word with how long it has been so: `down 2h 5m`. */
export function briefState({ word, seconds }: ShownState): string {
  return seconds === undefined ? word : `${word} ${shortDuration(seconds)}`;
}

/** The same in full: `down for 2 hours, 5 minutes`. */
export function fullState({ word, seconds }: ShownState): string {
  return seconds === undefined ? word : `${word} for ${longDuration(Math.max(1, seconds))}`;
}
