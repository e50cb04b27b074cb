import { stringify } from "@std/csv/stringify";
import { addDays } from "./logs/add_days.ts";
import { DAY_COLUMNS } from "./logs/day_columns.ts";
import { inert } from "./inert.ts";
import type { SiteDays } from "./logs/site_days.ts";
import { dateOf } from "../time.ts";

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

/** Days by site and date (`YYYY-MM-DD`, UTC). */
export type Days = Map<string, Map<string, DayTotals>>;

const encoder = new TextEncoder();

/** Where the logs of days are kept, one for each year. */
export const DAILY_FOLDER = "history/daily";

/** The log that holds a day, `YYYY-MM-DD`. */
export function dailyPath(day: string): string {
  return `${DAILY_FOLDER}/${day.slice(0, 4)}.csv`;
}

/**
 * The text of a log, by date and then by site.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const text = "date,slug,checks,up,degraded,down,maintenance,unknown,observed_s,down_s,degraded_s,maintenance_s," +
 *   "rt_count,rt_sum,rt_min,rt_max,rt_histogram\n" +
 *   "2026-11-21,shop,288,287,0,1,0,0,86400,312,0,0,287,34440,101,240,96:200 99:87\n";
 * assertEquals(formatDays(parseDays(text)), text);
 * ```
 */
export function formatDays(days: Days): string {
  const rows = [...days].flatMap(([slug, own]) => {
    const cell = inert(slug);
    const quoted = stringify([[cell]], { headers: false }).trimEnd();
    return [...own].map(([date, totals]) => ({ date, cell, line: lineOf(date, quoted, totals) }));
  });
  rows.sort((one, other) => order(one.date, other.date) || order(one.cell, other.cell));
  return [DAY_COLUMNS.join(","), ...rows.map(({ line }) => line), ""].join("\n");
}

function order(one: string, other: string): number {
  return one === other ? 0 : one < other ? -1 : 1;
}

/** Reads a log; a last line that was cut off, and lines that tell no day, are passed over. */
export function parseDays(text: string): Days {
  const sites = new Map<string, SiteDays>();
  addDays(sites, encoder.encode(text));
  return new Map([...sites].map(([slug, days]) => {
    const own = Array.from(
      days.days(),
      ({ from, totals }) => [dateOf(from), plain(totals)] as const,
    );
    return [slug, new Map(own)];
  }));
}

/** All that totals tell, read out of their log. */
function plain(totals: DayTotals): DayTotals {
  const { checks, up, degraded, down, maintenance, unknown } = totals;
  const { observedTime, downTime, degradedTime, maintenanceTime } = totals;
  const { count, sum, min, max, histogram } = totals.responseTimes;
  const states = { checks, up, degraded, down, maintenance, unknown };
  const times = { observedTime, downTime, degradedTime, maintenanceTime };
  return { ...states, ...times, responseTimes: { count, sum, min, max, histogram } };
}

/** How many checks of each site a log of days was rolled up from, by day; `NaN` where it does not say. */
export function rolledUp(text: string): Map<string, Map<string, number>> {
  const days = new Map<string, Map<string, number>>();
  for (const [slug, own] of parseDays(text)) {
    for (const [day, { checks }] of own) {
      days.set(day, (days.get(day) ?? new Map()).set(slug, checks));
    }
  }
  return days;
}

function lineOf(date: string, slug: string, totals: DayTotals): string {
  const { checks, up, degraded, down, maintenance, unknown, responseTimes } = totals;
  const { observedTime, downTime, degradedTime, maintenanceTime } = totals;
  const { count, sum, min, max, histogram } = responseTimes;
  const states = [checks, up, degraded, down, maintenance, unknown];
  const times = [observedTime, downTime, degradedTime, maintenanceTime];
  const numbers = [...states, ...times, count, sum].map(Math.round);
  const extremes = count === 0 ? ["", ""] : [min, max].map(Math.round);
  return [date, slug, ...numbers, ...extremes, histogram].join(",");
}
