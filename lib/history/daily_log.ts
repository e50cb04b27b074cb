import { parse } from "@std/csv/parse";
import { stringify } from "@std/csv/stringify";
import { inert, readable } from "./inert.ts";

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

type Cells = Record<typeof COLUMNS[number], string>;

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
  const rows = [...days].flatMap(([slug, own]) =>
    [...own].map(([date, totals]) => cellsOf(date, slug, totals))
  );
  const key = ({ date, slug }: Cells) => `${date} ${slug}`;
  rows.sort((one, other) => key(one) < key(other) ? -1 : 1);
  const lines = rows.map((cells) => COLUMNS.map((name) => cells[name]));
  return stringify([COLUMNS, ...lines], { headers: false }).replaceAll("\r\n", "\n");
}

/** Reads a log; a last line that was cut off, and lines that tell no day, are passed over. */
export function parseDays(text: string): Days {
  const days: Days = new Map();
  const whole = text.slice(0, text.lastIndexOf("\n") + 1);
  let places: readonly number[] | undefined;
  for (const line of linesOf(whole)) {
    if (places === undefined) {
      places = COLUMNS.map((name) => line.indexOf(name));
      continue;
    }
    const [date = "", slug = ""] = [line[places[0]!], line[places[1]!]];
    if (!/^\d{4}-\d\d-\d\d$/.test(date) || slug === "") continue;
    const site = readable(slug);
    const own = days.get(site) ?? new Map<string, DayTotals>();
    if (own.size === 0) days.set(site, own);
    own.set(date, totalsOf(line, places));
  }
  return days;
}

/** The cells of each line, one line after the other: there may be a hundred thousand. */
function* linesOf(text: string): Generator<string[]> {
  if (text.includes('"')) {
    yield* parse(text, { lazyQuotes: true });
    return;
  }
  let start = 0;
  for (let end = text.indexOf("\n"); end !== -1; end = text.indexOf("\n", start)) {
    yield text.slice(start, end).trimEnd().split(",");
    start = end + 1;
  }
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

function cellsOf(date: string, slug: string, totals: DayTotals): Cells {
  const { checks, up, degraded, down, maintenance, unknown, responseTimes } = totals;
  const { observedTime, downTime, degradedTime, maintenanceTime } = totals;
  const { count, sum, min, max, histogram } = responseTimes;
  const numbers = {
    checks,
    up,
    degraded,
    down,
    maintenance,
    unknown,
    observed_s: observedTime,
    down_s: downTime,
    degraded_s: degradedTime,
    maintenance_s: maintenanceTime,
    rt_count: count,
    rt_sum: sum,
  };
  const texts = Object.entries(numbers).map(([name, value]) => [name, String(Math.round(value))]);
  const extremes = count === 0 ? ["", ""] : [min, max].map((value) => String(Math.round(value)));
  return {
    ...Object.fromEntries(texts),
    date,
    slug: inert(slug),
    rt_min: extremes[0],
    rt_max: extremes[1],
    rt_histogram: histogram,
  };
}

/** @param places Where the columns stand in the line. */
function totalsOf(line: readonly string[], places: readonly number[]): DayTotals {
  let column = 2;
  const text = () => line[places[column++]!] ?? "";
  const number = () => Number(text()) || 0;
  const checks = text();
  return {
    checks: checks === "" ? NaN : Number(checks),
    up: number(),
    degraded: number(),
    down: number(),
    maintenance: number(),
    unknown: number(),
    observedTime: number(),
    downTime: number(),
    degradedTime: number(),
    maintenanceTime: number(),
    responseTimes: {
      count: number(),
      sum: number(),
      min: number(),
      max: number(),
      histogram: text(),
    },
  };
}
