import { parse } from "@std/csv/parse";
import { readable } from "./inert.ts";

/** One day of one site, rolled up from its checks. Times are in seconds. */
export interface DayTotals {
  /** How many checks were made, of all states. */
  checks: number;
  up: number;
  degraded: number;
  down: number;
  maintenance: number;
  unknown: number;
  /** Time that checks speak for, maintenance included. */
  observedTime: number;
  downTime: number;
  degradedTime: number;
  maintenanceTime: number;
  /** Response times of successful checks, in milliseconds; `histogram` as `Histogram` writes it. */
  responseTimes: { count: number; sum: number; min: number; max: number; histogram: string };
}
/** The log that holds one row for each site and day of a year, rolled up from the checks. `day` is `YYYY-MM-DD`. */
export function dailyPath(day: string): string {
  return `history/daily/${day.slice(0, 4)}.csv`;
}

/**
 * How many checks of each site a log of days was rolled up from, by day; `NaN` where it does not say.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const days = rolledUp("date,slug,checks\n2026-11-21,shop,288\n");
 * assertEquals(days.get("2026-11-21"), new Map([["shop", 288]]));
 * ```
 */
export function rolledUp(text: string): Map<string, Map<string, number>> {
  const days = new Map<string, Map<string, number>>();
  const [header = [], ...lines] = parse(text.slice(0, text.lastIndexOf("\n") + 1), {
    lazyQuotes: true,
  });
  const [date, slug, checks] = ["date", "slug", "checks"].map((name) => header.indexOf(name));
  for (const cells of lines) {
    const [day = "", site = ""] = [cells[date!], cells[slug!]];
    const count = Number.parseInt(cells[checks!] ?? "", 10);
    days.set(day, (days.get(day) ?? new Map()).set(readable(site), count));
  }
  return days;
}
