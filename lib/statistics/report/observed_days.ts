import type { Window } from "../../history/windows.ts";
import { dateOf } from "../../time.ts";
import { dayBars } from "./day_bars.ts";
import type { SiteReport } from "./report.ts";

/**
 * Tells of pieces of time, of the last so many days at most, whether anything was observed of any site on
 * the UTC days that they meet.
 */
export function observedDays(
  sites: readonly SiteReport[],
  days: number,
): (window: Window) => boolean {
  const dates = new Set(
    sites.flatMap((site) =>
      dayBars(site, days).flatMap(({ date, observed }) => observed > 0 ? [date] : [])
    ),
  );
  return ({ from, to }) => dates.has(dateOf(from)) || dates.has(dateOf(to - 1));
}
