import { parse } from "@std/csv/parse";
import { stringify } from "@std/csv/stringify";
import { DayLine } from "./logs/day_line.ts";
import { inert, readable } from "./inert.ts";
import { COMMA } from "./logs/log_bytes.ts";
import { SiteDays } from "./logs/site_days.ts";

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

const COLUMNS = [
  "date",
  "slug",
  "checks",
  "up",
  "degraded",
  "down",
  "maintenance",
  "unknown",
  "observed_s",
  "down_s",
  "degraded_s",
  "maintenance_s",
  "rt_count",
  "rt_sum",
  "rt_min",
  "rt_max",
  "rt_histogram",
] as const;

const DATE = COLUMNS.indexOf("date");
const SLUG = COLUMNS.indexOf("slug");

const encoder = new TextEncoder();
const NUL = 0;

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
  return [COLUMNS.join(","), ...rows.map(({ line }) => line), ""].join("\n");
}

function order(one: string, other: string): number {
  return one === other ? 0 : one < other ? -1 : 1;
}

/** Reads a log; a last line that was cut off, and lines that tell no day, are passed over. */
export function parseDays(text: string): Days {
  const sites = new Map<string, SiteDays>();
  addDays(sites, encoder.encode(text));
  return new Map([...sites].map(([slug, days]) => {
    const own = new Map<string, DayTotals>();
    days.forEach((totals, date) => own.set(date, plain(totals)));
    return [slug, own];
  }));
}

/** Adds the days of a log, given as UTF-8, to those of logs before, by site. */
export function addDays(sites: Map<string, SiteDays>, log: Uint8Array): void {
  const line = new DayLine(log, COMMA);
  addLines(sites, line);
  if (line.hasQuotes) {
    addLines(sites, new DayLine(encoder.encode(unquoted(wholeText(log))), NUL));
  }
}

/** Adds the days of all lines, up to one with quotes: what comes then may be part of its cells. */
function addLines(sites: Map<string, SiteDays>, line: DayLine): void {
  if (!line.next()) return;
  const header = line.cells();
  line.places = COLUMNS.map((name) => header.indexOf(name));
  let date = new Uint8Array();
  let day = "";
  let isDay = false;
  // The sites of a day have the order of the day before.
  const places: { cell: Uint8Array; days: SiteDays }[] = [];
  let next = 0;
  while (line.next() && !line.hasQuotes) {
    if (!line.holds(DATE, date)) {
      day = line.text(DATE);
      date = encoder.encode(day);
      isDay = /^\d{4}-\d\d-\d\d$/.test(day);
      next = 0;
    }
    if (!isDay) continue;
    let place = places[next];
    if (place === undefined || !line.holds(SLUG, place.cell)) {
      const slug = line.text(SLUG);
      if (slug === "") continue;
      const site = readable(slug);
      const days = sites.get(site) ?? new SiteDays();
      sites.set(site, days);
      place = { cell: encoder.encode(slug), days };
      places[next] = place;
    }
    next++;
    place.days.add(day, line, SLUG + 1);
  }
}

function wholeText(log: Uint8Array): string {
  const text = new TextDecoder().decode(log);
  return text.slice(0, text.lastIndexOf("\n") + 1);
}

/** The cells of a log with quotes, apart from each other by what is in none of them. */
function unquoted(text: string): string {
  return parse(text, { lazyQuotes: true }).map((cells) => `${cells.join("\0")}\n`).join("");
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
