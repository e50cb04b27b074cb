import { DAY } from "../time.ts";
import type { RolledDay } from "./evidence.ts";
import type { Window } from "./windows.ts";

/** Days whose totals count in a window. */
export interface DaysIn {
  /** Those that lie in it as a whole. */
  whole: readonly RolledDay[];
  /** Those that it cuts. */
  cut: readonly DayPart[];
}

/** A day whose totals count, and the share of it that lies in a window. */
export interface DayPart extends RolledDay {
  share: number;
  window: Window;
}

/** Of the day on which a site was first monitored, all that is known lies behind that moment. */
function partOf(day: RolledDay, { from, to }: Window, first: number): DayPart[] {
  const end = day.from + DAY;
  const begin = Math.min(Math.max(day.from, first), end - 1);
  const window = { from: Math.max(from, begin), to: Math.min(to, end) };
  const length = window.to - window.from;
  return length <= 0 ? [] : [{ ...day, window, share: length / (end - begin) }];
}

/** The days of a window, given all there are and when the site was first monitored. */
export function daysIn(days: readonly RolledDay[], window: Window, first = -Infinity): DaysIn {
  const whole: RolledDay[] = [];
  const cut: DayPart[] = [];
  for (const day of days) {
    const end = day.from + DAY;
    if (end <= window.from || day.from >= window.to) continue;
    const isWhole = day.from >= window.from && end <= window.to && day.from >= first;
    if (isWhole) whole.push(day);
    else cut.push(...partOf(day, window, first));
  }
  return { whole, cut };
}
