import { PART_BYTES } from "../config/layout.ts";
import { formatDate } from "../time.ts";
import { escapeCell, formatLines, readRows, unescapeCell } from "./csv.ts";
import type { HistoryFiles } from "./store/store.ts";
import { countBytes } from "../text/plain_text.ts";

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

/** Days as seen from single locations: by site, then by the location's name. */
export type LocationDays = Map<string, Days>;

const COLUMNS = [
  ...["date", "slug", "checks", "up", "degraded", "down", "maintenance", "unknown"],
  ...["observed_s", "down_s", "degraded_s", "maintenance_s"],
  ...["rt_count", "rt_sum", "rt_min", "rt_max", "rt_histogram"],
];

const LOCATION_COLUMNS = [...COLUMNS, "location"];

/** Folder of the logs of days: one for each year, or folders of years and days with parts of each day. */
export const DAILY_FOLDER = "history/daily";

/** The log that contains a day, given its start in milliseconds since 1970. */
export function dailyPath(day: number): string {
  return `${DAILY_FOLDER}/${formatDate(day).slice(0, 4)}.csv`;
}

/** The log that contains a day as seen from single locations. */
export function locationDaysPath(day: number): string {
  return `${DAILY_FOLDER}/locations-${formatDate(day).slice(0, 4)}.csv`;
}

/** True if a path below {@linkcode DAILY_FOLDER} is that of a log of days, as sites or as single locations were. */
export function isDailyLog(name: string, of: "sites" | "locations"): boolean {
  const pattern = of === "sites"
    ? /^\d{4}(?:\/\d\d-\d\d\/\d+)?\.csv$/
    : /^(?:locations-\d{4}|\d{4}\/\d\d-\d\d\/locations-\d+)\.csv$/;
  return pattern.test(name);
}

/** Sorts logs of days as they are parsed: the parts of single days count if a year has the day too. */
export function sortDailyLogs(names: readonly string[]): string[] {
  const rank = (name: string) => `${name.includes("/") ? 1 : 0}${name}`;
  return names.toSorted((one, other) => rank(one) < rank(other) ? -1 : 1);
}

/** The folder of the parts of a day in a nested history, `history/daily/YYYY/MM-DD`. */
function dailyFolder(day: number): string {
  const date = formatDate(day);
  return `${DAILY_FOLDER}/${date.slice(0, 4)}/${date.slice(5)}`;
}

/** Reads the logs of days, or those that may contain one of some days. */
export async function readDays(
  snapshot: Pick<HistoryFiles, "listAll" | "read">,
  only?: readonly number[],
): Promise<{ days: Days; locationDays: LocationDays }> {
  const names = sortDailyLogs(await snapshot.listAll(DAILY_FOLDER)).filter((name) =>
    only?.some((day) => containsDay(name, day)) !== false
  );
  const read = async (of: "sites" | "locations") => {
    const logs = names.filter((name) => isDailyLog(name, of));
    return (await snapshot.read(logs.map((name) => `${DAILY_FOLDER}/${name}`))).values();
  };
  const [sites, locations] = await Promise.all([read("sites"), read("locations")]);
  return { days: parseDays(sites), locationDays: parseLocationDays(locations) };
}

/** True if a log of days, by its path from their folder, may contain a day. */
function containsDay(name: string, day: number): boolean {
  const folder = dailyFolder(day).slice(DAILY_FOLDER.length + 1);
  const [year = ""] = folder.split("/");
  return name.startsWith(`${folder}/`) || name === `${year}.csv` ||
    name === `locations-${year}.csv`;
}

/** Splits the log of one day into parts, by path. */
export function splitDay(
  day: number,
  log: string,
  of: "sites" | "locations",
): Map<string, string> {
  const [header = "", ...lines] = log.split("\n").filter((line) => line !== "");
  const parts = new Map<string, string>();
  for (let from = 0; from < lines.length;) {
    let [bytes, to] = [header.length, from];
    while (to < lines.length && bytes < PART_BYTES) bytes += 1 + countBytes(lines[to++]!);
    const number = String(parts.size + 1).padStart(3, "0");
    const name = of === "sites" ? number : `locations-${number}`;
    parts.set(
      `${dailyFolder(day)}/${name}.csv`,
      [header, ...lines.slice(from, to), ""].join("\n"),
    );
    from = to;
  }
  return parts;
}

/**
 * Moves the rows of logs of years, given by path, to parts of their days; `null` removes a log. A day that has parts
 * already has all of its rows in them.
 */
export function splitYears(
  logs: ReadonlyMap<string, string>,
  present: Iterable<string>,
): Map<string, string | null> {
  const folders = new Set([...present].map((path) => path.replace(/\d+\.csv$/, "")));
  const files = new Map<string, string | null>();
  for (const [path, log] of logs) {
    const of = path.startsWith(`${DAILY_FOLDER}/locations-`) ? "locations" : "sites";
    const [header = "", ...lines] = log.split("\n").filter((line) => line !== "");
    for (const [date, own] of Map.groupBy(lines, (line) => line.slice(0, line.indexOf(",")))) {
      const day = startOfDay(date);
      if (Number.isNaN(day)) continue;
      for (const [part, text] of splitDay(day, [header, ...own].join("\n"), of)) {
        if (!folders.has(part.replace(/\d+\.csv$/, ""))) files.set(part, text);
      }
    }
    files.set(path, null);
  }
  return files;
}

/** The text of a log, by date and then by site. */
export function formatDays(days: Days): string {
  return formatLog(COLUMNS, [...days].map(([slug, own]) => ({ slug, own })));
}

/**
 * The text of a log of locations, by date, site and location.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const text = "date,slug,checks,location\n2026-11-21,shop,288,Frankfurt\n2026-11-21,shop,280,Virginia\n";
 * const days = parseLocationDays([text]);
 * assertEquals([...days.get("shop")!].map(([name, [day]]) => [name, day!.checks]), [
 *   ["Frankfurt", 288],
 *   ["Virginia", 280],
 * ]);
 * assertEquals(parseLocationDays([formatLocationDays(days)]), days);
 * ```
 */
export function formatLocationDays(days: LocationDays): string {
  const rows = [...days].flatMap(([slug, locations]) =>
    [...locations].map(([location, own]) => ({ slug, location, own }))
  );
  return formatLog(LOCATION_COLUMNS, rows);
}

function formatLog(
  columns: readonly string[],
  rows: readonly { slug: string; location?: string; own: readonly DayTotals[] }[],
): string {
  const cells = rows.map(({ slug, location, own }) => ({
    slug: escapeCell(slug),
    location: location === undefined ? undefined : escapeCell(location),
    own,
  })).sort((one, other) =>
    one.slug === other.slug
      ? (one.location ?? "") < (other.location ?? "") ? -1 : 1
      : one.slug < other.slug
      ? -1
      : 1
  );
  const byDay = new Map<number, string[]>();
  for (const { slug, location, own } of cells) {
    const quote = (cell: string) => formatLines([[cell]]).trimEnd();
    const [start, end] = [quote(slug), location === undefined ? "" : `,${quote(location)}`];
    for (const day of own) {
      byDay.getOrInsert(day.from, []).push(formatDay(day, start) + end);
    }
  }
  const lines = [...byDay].sort(([one], [other]) => one - other).flatMap(([from, own]) => {
    const date = formatDate(from);
    return own.map((line) => `${date},${line}`);
  });
  return [columns.join(","), ...lines, ""].join("\n");
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
  collectDays(logs, COLUMNS, (slug) => sites.getOrInsert(slug, []));
  return sortDays(sites);
}

/** Parses logs of locations as {@linkcode parseDays} parses those of sites. */
export function parseLocationDays(logs: Iterable<string>): LocationDays {
  const sites = new Map<string, Map<string, DayTotals[]>>();
  collectDays(
    logs,
    LOCATION_COLUMNS,
    (slug, location) =>
      location === "" ? undefined : sites.getOrInsert(slug, new Map()).getOrInsert(location, []),
  );
  return new Map([...sites].map(([slug, own]) => [slug, sortDays(own)]));
}

/** Appends the day of each row to the list that `listOf` finds, if it finds one. */
function collectDays(
  logs: Iterable<string>,
  columns: readonly string[],
  listOf: (slug: string, location: string) => DayTotals[] | undefined,
): void {
  // The rows of a day follow each other.
  let [dateCell, from]: [string, number] = ["", NaN];
  for (const log of logs) {
    for (const cells of readRows(log, columns)) {
      const [date = "", slugCell = ""] = cells;
      if (date !== dateCell) [dateCell, from] = [date, startOfDay(date)];
      const slug = unescapeCell(slugCell);
      if (Number.isNaN(from) || slug === "") continue;
      listOf(slug, unescapeCell(cells[COLUMNS.length] ?? ""))?.push(parseDay(from, cells));
    }
  }
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

function sortDays(days: ReadonlyMap<string, readonly DayTotals[]>): Days {
  return new Map([...days].map(([key, own]) => {
    const last = new Map(own.map((day) => [day.from, day]));
    return [key, [...last.values()].sort((one, other) => one.from - other.from)];
  }));
}
