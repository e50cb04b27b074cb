import { utcDay } from "../time.ts";
import {
  type CheckRow,
  CHECKS_FOLDER,
  checksPath,
  continueLog,
  dayOfLog,
  hasRun,
  isIllegible,
  isOfLocation,
  iterateRows,
  missingRows,
  type ReadRows,
  type Run,
  sitesWithPhases,
} from "./checks_log.ts";
import { parsePartName, readParts, sortParts } from "./log_parts.ts";
import type { HistoryFiles, Snapshot } from "./store/store.ts";
import { readDays } from "./daily_log.ts";
import { findDay } from "./site_history.ts";

/** Logs that a run adds rows to, or may have added rows to already: the texts of all of their parts by path, in order. */
export type KnownLogs = ReadonlyMap<string, string>;

/** Reads the logs of the days of some moments. */
export async function readKnownLogs(
  snapshot: Pick<HistoryFiles, "listAll" | "read">,
  times: readonly Temporal.Instant[],
): Promise<KnownLogs> {
  const days = new Set(times.map(utcDay));
  const names = sortParts(await snapshot.listAll(CHECKS_FOLDER))
    .filter((name) => days.has(dayOfLog(name) ?? ""));
  return await snapshot.read(names.map((name) => `${CHECKS_FOLDER}/${name}`));
}

/** The parts of the log of the day of a moment, in order. */
export function findParts(logs: KnownLogs, time: Temporal.Instant): [path: string, text: string][] {
  const day = utcDay(time);
  return [...logs].filter(([path]) => dayOfLog(nameOf(path)) === day);
}

function nameOf(path: string): string {
  return path.slice(CHECKS_FOLDER.length + 1);
}

/** True if there is a log of the day of a moment. */
export function coversMoment(logs: KnownLogs, time: Temporal.Instant): boolean {
  return findParts(logs, time).length > 0;
}

/** True if the logs contain a run, and all of its `rows`. */
export function hasAllRows(
  logs: KnownLogs,
  { id, time }: Run,
  rows: readonly CheckRow[],
): boolean {
  const parts = findParts(logs, time);
  return parts.some(([, text]) => hasRun(text, id)) && withoutKnown(parts, rows).length === 0;
}

/** Plans the parts of logs to which rows are added: the rows that they lack, and whole texts by path. */
export function planLogs(
  logs: KnownLogs,
  rows: readonly CheckRow[],
): { rows: CheckRow[]; files: Map<string, string> } {
  const files = new Map<string, string>();
  const missing: CheckRow[][] = [];
  for (const own of Map.groupBy(rows, ({ time }) => utcDay(time)).values()) {
    const { time } = own[0]!;
    const parts = findParts(logs, time);
    const lacking = withoutKnown(parts, own);
    if (lacking.length === 0) continue;
    missing.push(lacking);
    const [last = checksPath(time), before] = parts.at(-1) ?? [];
    const { number } = parsePartName(nameOf(last))!;
    for (const [index, text] of continueLog(before, lacking).entries()) {
      if (text !== before) files.set(checksPath(time, number + index), text);
    }
  }
  return { rows: missing.flat(), files };
}

/** Those of the rows that no part has, each once. */
function withoutKnown(
  parts: readonly [path: string, text: string][],
  rows: readonly CheckRow[],
): CheckRow[] {
  return parts.reduce((left, [, text]) => missingRows(text, left), missingRows(undefined, rows));
}

/** The sites whose timings are known for the UTC hour of a moment. */
export function findTimedSites(
  logs: KnownLogs,
  pending: readonly CheckRow[],
  time: Temporal.Instant,
): Set<string> {
  return findParts(logs, time).reduce(
    (sites, [, text]) => sites.union(sitesWithPhases(text, [], time)),
    sitesWithPhases(undefined, pending, time),
  );
}

/**
 * Paths of all parts of the logs that are older than `keepDays` days and no longer needed: every site in them, and each
 * of its locations, has its row for that day, made from all of its checks. A log that is not rolled up or can't be read
 * stays, however old it is.
 */
export async function expiredLogs(
  snapshot: Pick<Snapshot, "listAll" | "read">,
  time: Temporal.Instant,
  keepDays: number,
): Promise<string[]> {
  const first = utcDay(time.subtract({ hours: 24 * keepDays }));
  const names = (await snapshot.listAll(CHECKS_FOLDER)).filter((name) => {
    const day = dayOfLog(name);
    return day !== undefined && day < first;
  });
  if (names.length === 0) return [];
  const old = Map.groupBy(names, (name) => Date.parse(dayOfLog(name)!));
  const { days, locationDays } = await readDays(snapshot, [...old.keys()]);
  const rolledUp = new Set([...days.values()].flatMap((own) => own.map(({ from }) => from)));
  const expired: string[] = [];
  for (const [day, logs] of old) {
    if (!rolledUp.has(day)) continue;
    const paths = logs.map((name) => `${CHECKS_FOLDER}/${name}`);
    const checks = await countChecks(snapshot, paths);
    const isComplete = checks !== undefined && checks.every(({ slug, location, count }) => {
      const own = location === undefined ? days.get(slug) : locationDays.get(slug)?.get(location);
      const totals = own?.[findDay(own, day)];
      return totals?.from === day && !(totals.checks < count);
    });
    if (isComplete) expired.push(...paths);
  }
  return expired;
}

interface Counted {
  slug: string;
  location?: string;
  count: number;
}

/** Counts the checks of each site and location in the parts of a day's log; `undefined` if one can't be read. */
async function countChecks(
  snapshot: Pick<Snapshot, "read">,
  paths: readonly string[],
): Promise<Counted[] | undefined> {
  const counted = new Map<string, Counted>();
  const known: ReadRows = new Map();
  for await (const [, text] of readParts(snapshot, paths)) {
    if (isIllegible(text)) return undefined;
    for (const row of iterateRows(text, known)) {
      const location = isOfLocation(row) ? row.location : undefined;
      const key = location === undefined ? row.slug : `${row.slug}\n${location}`;
      counted.getOrInsert(key, { slug: row.slug, location, count: 0 }).count++;
    }
  }
  return [...counted.values()];
}
