import type { DayTotals } from "../../lib/history/daily_log.ts";
import type { RolledDay } from "../../lib/statistics/site_history.ts";
import { dateOf } from "../../lib/time.ts";

/** Totals of days by date, as logs have them. */
export function datedDays(days: readonly RolledDay[]): Map<string, DayTotals> {
  return new Map(
    days.map(({ from, totals }) => [dateOf(from), totals]),
  );
}
