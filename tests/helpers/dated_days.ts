import { type DayTotals, formatDays } from "../../lib/history/daily_log.ts";
import { addDays } from "../../lib/history/logs/add_days.ts";
import { NO_DAYS } from "../../lib/history/logs/packed_days.ts";
import type { SiteDays } from "../../lib/history/logs/site_days.ts";
import type { RolledDay, RolledDays } from "../../lib/history/site_history.ts";
import { dateOf } from "../../lib/time.ts";

/** Totals of days by date, as logs have them. */
export function datedDays(days: readonly RolledDay[]): Map<string, DayTotals> {
  return new Map(
    days.map(({ from, totals }) => [dateOf(from), totals]),
  );
}

/** Days as they are read once a log has them. */
export function loggedDays(days: readonly RolledDay[]): RolledDays {
  const sites = new Map<string, SiteDays>();
  addDays(sites, new TextEncoder().encode(formatDays(new Map([["shop", datedDays(days)]]))));
  return sites.get("shop")?.days() ?? NO_DAYS;
}
