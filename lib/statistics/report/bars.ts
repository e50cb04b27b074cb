import type { State } from "../../state.ts";
import { DAY, floorToDay, formatDate } from "../../time.ts";
import { type Window, windowBack, type WindowName, WINDOWS } from "../../history/windows.ts";
import { computeUptime } from "../measure.ts";
import { computeStateTimes } from "../rolled_days.ts";
import type { Samples } from "../samples.ts";
import type { StateTimes } from "../statistics.ts";

/** The states of a site in one part of a window. Lengths of time are in seconds. */
export interface Bar extends StateTimes {
  /** From 0 to 1; absent if nothing was observed outside of maintenance. */
  uptime?: number;
  /** The worst state, however short; `maintenance` if nothing was worse, `unknown` if nothing was observed. */
  worst: State;
}

/** The states of a site on one UTC day. */
export interface DayBar extends Bar {
  /** `YYYY-MM-DD`. */
  date: string;
}

/** Computes the bars of the last `count` UTC days, the oldest first, up to now. */
export function dayBars({ samples }: { samples: Samples }, count: number): DayBar[] {
  const first = floorToDay(samples.now) - (count - 1) * DAY;
  return Array.from({ length: count }, (_, index) => dayBar(samples, first + index * DAY));
}

/** Windows that bars are drawn for, with their numbers: hours, quarters of days, UTC days, weeks. */
export const BAR_COUNTS = {
  day: 24,
  week: 28,
  month: 30,
  quarter: 90,
  year: 52,
} as const satisfies Partial<Record<WindowName, number>>;

type BarWindow = keyof typeof BAR_COUNTS;

/** Computes the bars of a window, oldest first: equal parts that together cover exactly what its figures do. */
export function windowBars(report: { samples: Samples }, name: BarWindow): Bar[] {
  const count = BAR_COUNTS[name];
  if (name === "month" || name === "quarter") return dayBars(report, count);
  const { samples } = report;
  const { from, to } = windowBack(name, samples.now, samples.now);
  const length = (to - from) / count;
  return Array.from({ length: count }, (_, index) => {
    const start = from + index * length;
    return computeBar(samples, { from: start, to: start + length });
  });
}

/**
 * Computes at most 90 equal bars of the whole time since the site was first monitored, and their length in milliseconds.
 * None is shorter than a day, because of most days only totals are known.
 */
export function wholeBars({ samples }: { samples: Samples }): { bars: Bar[]; length: number } {
  const { from, to } = windowBack("all", samples.now, samples.first ?? samples.now);
  const count = Math.max(1, Math.min(BAR_COUNTS.quarter, Math.floor((to - from) / DAY)));
  const length = (to - from) / count;
  const bars = Array.from({ length: count }, (_, index) => {
    const start = from + index * length;
    return computeBar(samples, { from: start, to: start + length });
  });
  return { bars, length };
}

/** Computes the bars of the last 90 UTC days, oldest first; `unknown` before the site was first monitored. */
export function quarterBars(report: { samples: Samples }): DayBar[] {
  return dayBars(report, BAR_COUNTS.quarter);
}

/** Whole minutes of the worst state, at least 1; absent if that is up or unknown. */
export function failedMinutes(bar: Bar): number | undefined {
  const { worst } = bar;
  if (worst === "up" || worst === "unknown") return undefined;
  return Math.max(1, Math.floor(bar[worst] / 60 + 1e-6));
}

/** How long the worst state lasted: under 10 minutes, under an hour, longer. */
export type BarLevel = "short" | "medium" | "long";

export function toBarLevel(minutes: number): BarLevel {
  if (minutes < 10) return "short";
  return minutes < 60 ? "medium" : "long";
}

/** Whole minutes of outages by UTC day (`YYYY-MM-DD`), ascending, of the last 365 days with half a minute or more. */
export function downMinutes(samples: Samples): Map<string, number> {
  const last = floorToDay(samples.now);
  const minutes = new Map<string, number>();
  for (let from = last - WINDOWS.year.length; from <= last; from += DAY) {
    const { down } = computeStateTimes(samples, { from, to: from + DAY });
    if (down >= 30) minutes.set(formatDate(from), Math.round(down / 60));
  }
  return minutes;
}

function dayBar(samples: Samples, day: number, from = day): DayBar {
  return { date: formatDate(day), ...computeBar(samples, { from, to: day + DAY }) };
}

function computeBar(samples: Samples, window: Window): Bar {
  const times = computeStateTimes(samples, window);
  return { ...times, uptime: computeUptime(times), worst: findWorst(times) };
}

function findWorst({ observed, down, degraded, maintenance }: StateTimes): State {
  if (down > 0) return "down";
  if (degraded > 0) return "degraded";
  if (maintenance > 0) return "maintenance";
  return observed > 0 ? "up" : "unknown";
}
