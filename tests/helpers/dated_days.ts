import type { DayTotals } from "../../lib/history/daily_log.ts";
import type { RolledDay } from "../../lib/statistics/evidence.ts";

/** Totals of days by date, as logs have them. */
export function datedDays(days: readonly RolledDay[]): Map<string, DayTotals> {
  return new Map(
    days.map(({ from, totals }) => [new Date(from).toISOString().slice(0, 10), totals]),
  );
}
