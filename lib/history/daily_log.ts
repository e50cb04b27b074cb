import { formatDate } from "../time.ts";
import { escapeCell, formatLines, readRows, unescapeCell } from "./csv.ts";

/** One day of one site, rolled up from its checks. Times are in seconds. */
export interface DayTotals {
  /** Start of the day (UTC), in milliseconds since 1970. */
  from: number;
  /** Number of checks of all states; `NaN` if the log does not contain it. */
  checks: number;
  up: number;
  degraded: number;
  down: number;
  maintenance: number;
  unknown: number;
  /** Time that checks cover, maintenance included. */
  observedTime: number;
  downTime: number;
  degradedTime: number;
  maintenanceTime: number;
  /** Response times of successful checks, in milliseconds; `histogram` as `Histogram` formats it. */
  responseTimes: { count: number; sum: number; min: number; max: number; histogram: string };
}

/** Days by site, ascending, each once. */
export type Days = Map<string, readonly DayTotals[]>;

const COLUMNS = [
  ...["date", "slug", "checks", "up", "degraded", "down", "maintenance", "unknown"],
  ...["observed_s", "down_s", "degraded_s", "maintenance_s"],
  ...["rt_count", "rt_sum", "rt_min", "rt_max", "rt_histogram"],
];

/** Folder of the logs of days, one for each year. */
export const DAILY_FOLDER = "history/daily";

/** The log that contains a day, given its start in milliseconds since 1970. */
export function dailyPath(day: number): string {
  return `${DAILY_FOLDER}/${formatDate(day).slice(0, 4)}.csv`;
}

/** The text of a log, by date and then by site. */
export function formatDays(days: Days): string {
  const sites = [...days].map(([slug, own]) => ({ cell: escapeCell(slug), own }))
    .sort((one, other) => one.cell < other.cell ? -1 : 1);
  const byDay = new Map<number, string[]>();
  for (const { cell, own } of sites) {
    const quoted = formatLines([[cell]]).trimEnd();
    for (const day of own) {
      const cells = byDay.get(day.from) ?? [];
      byDay.set(day.from, cells);
      cells.push(formatDay(day, quoted));
    }
  }
  const lines = [...byDay].sort(([one], [other]) => one - other).flatMap(([from, cells]) => {
    const date = formatDate(from);
    return cells.map((own) => `${date},${own}`);
  });
  return [COLUMNS.join(","), ...lines, ""].join("\n");
}

function formatDay(day: DayTotals, slug: string): string {
  const { checks, up, degraded, down, maintenance, unknown, responseTimes } = day;
  const { observedTime, downTime, degradedTime, maintenanceTime } = day;
  const { count, sum, min, max, histogram } = responseTimes;
  const states = [checks, up, degraded, down, maintenance, unknown];
  const times = [observedTime, downTime, degradedTime, maintenanceTime];
  const numbers = [...states, ...times, count, sum].map(Math.round);
  const extremes = count === 0 ? ["", ""] : [min, max].map(Math.round);
  return [slug, ...numbers, ...extremes, histogram].join(",");
}

/** Parses logs, the oldest first; the later of two rows of a site and date counts, and other lines are skipped. */
export function parseDays(logs: Iterable<string>): Days {
  const sites = new Map<string, DayTotals[]>();
  // The rows of a day follow each other.
  let [dateCell, from]: [string, number] = ["", NaN];
  for (const log of logs) {
    for (const cells of readRows(log, COLUMNS)) {
      const [date = "", slugCell = ""] = cells;
      if (date !== dateCell) [dateCell, from] = [date, startOfDay(date)];
      const slug = unescapeCell(slugCell);
      if (Number.isNaN(from) || slug === "") continue;
      const own = sites.get(slug);
      if (own === undefined) sites.set(slug, [parseDay(from, cells)]);
      else own.push(parseDay(from, cells));
    }
  }
  return new Map([...sites].map(([slug, days]) => [slug, inOrder(days)]));
}

function parseDay(from: number, cells: readonly (string | undefined)[]): DayTotals {
  return {
    from,
    checks: parseNumber(cells[2], NaN),
    up: parseNumber(cells[3]),
    degraded: parseNumber(cells[4]),
    down: parseNumber(cells[5]),
    maintenance: parseNumber(cells[6]),
    unknown: parseNumber(cells[7]),
    observedTime: parseNumber(cells[8]),
    downTime: parseNumber(cells[9]),
    degradedTime: parseNumber(cells[10]),
    maintenanceTime: parseNumber(cells[11]),
    responseTimes: {
      count: parseNumber(cells[12]),
      sum: parseNumber(cells[13]),
      min: parseNumber(cells[14]),
      max: parseNumber(cells[15]),
      histogram: cells[16] ?? "",
    },
  };
}

function parseNumber(cell: string | undefined, otherwise = 0): number {
  const value = cell === undefined || cell === "" ? NaN : Number(cell);
  return value >= 0 && value < Infinity ? value : otherwise;
}

/** Start of the day of a date (`YYYY-MM-DD`), in milliseconds since 1970; `NaN` if the calendar lacks it. */
function startOfDay(date: string): number {
  const from = /^\d{4}-\d\d-\d\d$/.test(date) ? Date.parse(date) : NaN;
  return Number.isNaN(from) || formatDate(from) !== date ? NaN : from;
}

function inOrder(days: readonly DayTotals[]): readonly DayTotals[] {
  const last = new Map(days.map((day) => [day.from, day]));
  return [...last.values()].sort((one, other) => one.from - other.from);
}
