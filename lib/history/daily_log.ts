import { formatDate } from "../time.ts";
import { escapeCell, formatLines, readRows, type Row, unescapeCell } from "./csv.ts";
import { appendLines, parsePartName, partName, sortParts } from "./log_parts.ts";
import type { HistoryFiles } from "./store/store.ts";

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

/** Folder of the logs of days, two for each year: of sites, and of sites as seen from single locations. */
export const DAILY_FOLDER = "history/daily";

/** The log that contains a day, given its start in milliseconds since 1970: its first part. */
export function dailyPath(day: number): string {
  return `${DAILY_FOLDER}/${formatDate(day).slice(0, 4)}.csv`;
}

/** The log that contains a day as seen from single locations: its first part. */
export function locationDaysPath(day: number): string {
  return `${DAILY_FOLDER}/locations-${formatDate(day).slice(0, 4)}.csv`;
}

/** Reads the logs of days, or those that may contain one of some days. */
export async function readDays(
  snapshot: Pick<HistoryFiles, "listAll" | "read">,
  only?: readonly number[],
): Promise<{ days: Days; locationDays: LocationDays }> {
  const wanted = only && new Set(only.flatMap((day) => [dailyPath(day), locationDaysPath(day)]));
  const parts = await listParts(snapshot);
  const read = async (isWanted: (log: string) => boolean) => {
    const own = parts.filter(({ log }) => isWanted(log) && wanted?.has(log) !== false);
    return (await snapshot.read(own.map(({ path }) => path))).values();
  };
  const isOfLocations = (log: string) => log.startsWith(`${DAILY_FOLDER}/locations-`);
  const [sites, locations] = await Promise.all([
    read((log) => !isOfLocations(log)),
    read(isOfLocations),
  ]);
  return { days: parseDays(sites), locationDays: parseLocationDays(locations) };
}

/** Lists the parts of all logs of days in order, each with the path of the first part of its log. */
async function listParts(
  snapshot: Pick<HistoryFiles, "listAll">,
): Promise<{ path: string; log: string }[]> {
  const names = sortParts(await snapshot.listAll(DAILY_FOLDER));
  return names.map((name) => ({ name, ...parsePartName(name)! }))
    .filter(({ log }) => /^(?:locations-)?\d{4}$/.test(log))
    .map(({ name, log }) => ({
      path: `${DAILY_FOLDER}/${name}`,
      log: `${DAILY_FOLDER}/${partName(log, 1)}`,
    }));
}

/**
 * Splits whole logs, by the paths of their first parts, into parts by path; `null` removes one that a log had before and
 * has no longer.
 */
export async function planDailyFiles(
  logs: ReadonlyMap<string, string>,
  snapshot: Pick<HistoryFiles, "listAll">,
): Promise<Map<string, string | null>> {
  const files = new Map<string, string | null>();
  for (const { path, log } of await listParts(snapshot)) if (logs.has(log)) files.set(path, null);
  for (const [path, text] of logs) {
    const { log } = parsePartName(path.slice(DAILY_FOLDER.length + 1))!;
    const [header = "", ...lines] = text.split(/(?<=\n)/);
    for (const [index, part] of appendLines(header, lines).entries()) {
      files.set(`${DAILY_FOLDER}/${partName(log, index + 1)}`, part);
    }
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
  let [date, from] = ["", NaN];
  for (const log of logs) {
    for (const row of readRows(log, columns)) {
      if (!row.is(0, date)) {
        date = row.text(0);
        from = startOfDay(date);
      }
      const slug = unescapeCell(row.text(1));
      if (Number.isNaN(from) || slug === "") continue;
      listOf(slug, unescapeCell(row.text(COLUMNS.length)))?.push(parseDay(from, row));
    }
  }
}

function parseDay(from: number, row: Row): DayTotals {
  return {
    from,
    checks: parseNumber(row, 2, NaN),
    up: parseNumber(row, 3),
    degraded: parseNumber(row, 4),
    down: parseNumber(row, 5),
    maintenance: parseNumber(row, 6),
    unknown: parseNumber(row, 7),
    observedTime: parseNumber(row, 8),
    downTime: parseNumber(row, 9),
    degradedTime: parseNumber(row, 10),
    maintenanceTime: parseNumber(row, 11),
    responseTimes: {
      count: parseNumber(row, 12),
      sum: parseNumber(row, 13),
      min: parseNumber(row, 14),
      max: parseNumber(row, 15),
      histogram: row.text(16),
    },
  };
}

function parseNumber(row: Row, column: number, otherwise = 0): number {
  const value = row.number(column);
  return value >= 0 && value < Infinity ? value : otherwise;
}

/** Start of the day of a date (`YYYY-MM-DD`), in milliseconds since 1970; `NaN` if the calendar lacks it. */
function startOfDay(date: string): number {
  const from = /^\d{4}-\d\d-\d\d$/.test(date) ? Date.parse(date) : NaN;
  return Number.isNaN(from) || formatDate(from) !== date ? NaN : from;
}

function sortDays(days: ReadonlyMap<string, readonly DayTotals[]>): Days {
  return new Map([...days].map(([key, own]) => {
    const isSorted = own.every(({ from }, index) => index === 0 || own[index - 1]!.from < from);
    if (isSorted) return [key, own];
    const last = new Map(own.map((day) => [day.from, day]));
    return [key, [...last.values()].sort((one, other) => one.from - other.from)];
  }));
}
