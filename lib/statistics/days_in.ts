import { DAY } from "../time.ts";
import type { RolledDay, RolledDays } from "../history/site_history.ts";
import type { Window } from "../history/windows.ts";

/** Days whose totals count in a window. */
export interface DaysIn {
  /** Those that lie in it as a whole. */
  whole: RolledDays;
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
  // No spread: a day may read its totals out of a log.
  return length <= 0
    ? []
    : [{ from: day.from, totals: day.totals, window, share: length / (end - begin) }];
}

/** The days of a window, given all there are, and when the site was first monitored. */
export function daysIn(days: RolledDays, window: Window, first = -Infinity): DaysIn {
  const begin = firstFrom(days, Math.floor(window.from - DAY) + 1);
  const end = firstFrom(days, window.to);
  const wholeBegin = Math.min(end, firstFrom(days, Math.max(window.from, first)));
  const wholeEnd = Math.max(wholeBegin, firstFrom(days, Math.floor(window.to - DAY) + 1));
  const cut = [...days.slice(begin, wholeBegin), ...days.slice(wholeEnd, end)];
  return {
    whole: days.slice(wholeBegin, wholeEnd),
    cut: cut.flatMap((day) => partOf(day, window, first)),
  };
}

/** Index of the first of some days that does not begin before a moment. */
export function firstFrom(days: RolledDays, moment: number): number {
  let low = 0;
  let high = days.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (days.from(middle) < moment) low = middle + 1;
    else high = middle;
  }
  return low;
}
