import type { State } from "../../state.ts";
import { DAY, floorToDay, formatDate } from "../../time.ts";
import { type Window, windowBack, type WindowName, WINDOWS } from "../../history/windows.ts";
import { computeUptime } from "../measure.ts";
import { computeStateTimes } from "../rolled_days.ts";
import type { Samples } from "../samples.ts";
import type { StateTimes } from "../statistics.ts";

/** The states of a site in one part of a window. Lengths of time are in seconds. */
interface Bar extends StateTimes {
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

/** Number of equal parts of a window: hours, quarters of days, days, weeks. */
const PARTS = { day: 24, week: 28, month: 30, year: 52 } as const satisfies Partial<
  Record<WindowName, number>
>;
/** A window whose bars are equal parts; those of the quarter are UTC days. */
export type PartWindow = keyof typeof PARTS;

export interface PartBar {
  worst: State;
  /** Whole minutes of that state; absent if it is up or unknown. */
  minutes?: number;
}

/** Computes the bars of a window of equal parts, oldest first: together they cover exactly what its figures do. */
export function partBars({ samples }: { samples: Samples }, name: PartWindow): PartBar[] {
  const { from, to } = windowBack(name, samples.now, samples.now);
  const length = (to - from) / PARTS[name];
  return Array.from({ length: PARTS[name] }, (_, index) => {
    const start = from + index * length;
    const bar = computeBar(samples, { from: start, to: start + length });
    const { worst } = bar;
    return worst === "up" || worst === "unknown"
      ? { worst }
      : { worst, minutes: Math.max(1, Math.round(bar[worst] / 60)) };
  });
}

/**
 * Computes the bars of the last 90 UTC days, oldest first, without those before the site was first monitored.
 * The first one starts with the window, a day before its own, so that bars and figures cover the same time.
 */
export function quarterBars({ samples }: { samples: Samples }): DayBar[] {
  const { from } = windowBack("quarter", samples.now, samples.now);
  const last = floorToDay(samples.now);
  const first = Math.min(
    last,
    Math.max(from + DAY, floorToDay(samples.first ?? samples.now)),
  );
  return Array.from({ length: (last - first) / DAY + 1 }, (_, index) => {
    const day = first + index * DAY;
    return dayBar(samples, day, index === 0 ? Math.min(from, day) : day);
  });
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

/** Returns a test whether any site was observed on the UTC days that a window meets, up to `count` days ago. */
export function observedDays(
  sites: readonly { samples: Samples }[],
  count: number,
): (window: Window) => boolean {
  const dates = new Set(
    sites.flatMap((site) =>
      dayBars(site, count).filter(({ observed }) => observed > 0).map(({ date }) => date)
    ),
  );
  return ({ from, to }) => dates.has(formatDate(from)) || dates.has(formatDate(to - 1));
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
