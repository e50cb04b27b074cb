import type { Layout } from "../config/layout.ts";
import { formatTime, utcDay } from "../time.ts";
import {
  appendRows,
  type CheckRow,
  CHECKS_FOLDER,
  checksPath,
  dayOfLog,
  hasRun,
  isIllegible,
  isOfLocation,
  iterateRows,
  LOGS_AT_ONCE,
  missingRows,
  type Run,
  sitesWithPhases,
  splitRuns,
} from "./checks_log.ts";
import type { Snapshot } from "./store/store.ts";
import { readDays } from "./daily_log.ts";
import { findDay } from "./site_history.ts";

/** The logs that a run adds rows to, or may have added rows to already. */
export interface KnownLogs {
  layout: Layout;
  /** By path. */
  texts: ReadonlyMap<string, string>;
  /** Hours (`YYYY-MM-DDTHH`) whose parts are known; empty unless the layout is nested. */
  hours: ReadonlySet<string>;
}

/** Reads the logs of some moments; of a nested history the parts of their runs, and of the first run of the hour of `now`. */
export async function readKnownLogs(
  snapshot: Pick<Snapshot, "listAll" | "read">,
  times: readonly Temporal.Instant[],
  { now, layout }: { now: Temporal.Instant; layout: Layout },
): Promise<KnownLogs> {
  const all = [...new Map([now, ...times].map((time) => [time.epochMilliseconds, time])).values()];
  if (layout === "flat") {
    const paths = new Set(all.map((time) => checksPath(time)));
    return { layout, texts: await snapshot.read([...paths]), hours: new Set() };
  }
  const folders = [...new Set(all.map(toHourFolder))];
  const listed = await Promise.all(folders.map(async (folder) => {
    const names = await snapshot.listAll(folder);
    return names.filter((name) => name.endsWith(".csv")).sort().map((name) => `${folder}/${name}`);
  }));
  const minutes = new Set(all.map(toMinutePrefix));
  const first = toRunPrefix(listed[0]![0] ?? "");
  const paths = listed.flat().filter((path) =>
    path.startsWith(first) || minutes.has(path.slice(0, toMinutePrefix(now).length))
  );
  return { layout, texts: await snapshot.read(paths), hours: new Set(all.map(toHour)) };
}

function toHour(time: Temporal.Instant): string {
  return formatTime(time).slice(0, 13);
}

/** Folder of the parts of an hour, `history/checks/YYYY-MM-DD/HH`. */
function toHourFolder(time: Temporal.Instant): string {
  return `${CHECKS_FOLDER}/${toHour(time).replace("T", "/")}`;
}

function toMinutePrefix(time: Temporal.Instant): string {
  return `${toHourFolder(time)}/${formatTime(time).slice(14, 16)}-`;
}

/** The start of the paths of all parts of a run. */
function toRunPrefix(path: string): string {
  return path.slice(0, path.lastIndexOf("-") + 1);
}

/** Path of a part of a run, `history/checks/YYYY-MM-DD/HH/MM-{run}-{part}.csv`. */
export function partPath({ id, time }: Run, part: number): string {
  return `${toMinutePrefix(time)}${id.replace(/\W/g, "_")}-${part}.csv`;
}

/** The minute of a part's run by its path from the folder of logs, in milliseconds since 1970; `undefined` for others. */
export function findPartTime(name: string): number | undefined {
  const [, day, hour, minute] = /^([\d-]{10})\/(\d\d)\/(\d\d)-/.exec(name) ?? [];
  return day === undefined ? undefined : Date.parse(`${day}T${hour}:${minute}:00Z`);
}

/** True if the logs of a moment were read. */
export function coversMoment({ layout, texts, hours }: KnownLogs, time: Temporal.Instant): boolean {
  return layout === "flat" ? texts.has(checksPath(time)) : hours.has(toHour(time));
}

/** True if the logs contain a run, and all of its `rows`. */
export function hasAllRows(
  known: KnownLogs,
  { id, time }: Run,
  rows: readonly CheckRow[],
): boolean {
  const texts = known.layout === "flat"
    ? [known.texts.get(checksPath(time))]
    : findParts(known, { id, time }).map(([, text]) => text);
  return texts.some((text) => hasRun(text, id)) && withoutKnown(texts, rows).length === 0;
}

/** Plans the logs to which rows are added: the rows that they lack, and whole texts by path. */
export function planLogs(
  known: KnownLogs,
  rows: readonly CheckRow[],
): { rows: CheckRow[]; files: Map<string, string> } {
  const files = new Map<string, string>();
  const missing: CheckRow[] = [];
  if (known.layout === "flat") {
    for (const [path, own] of Map.groupBy(rows, ({ time }) => checksPath(time))) {
      const text = known.texts.get(path);
      const lacking = missingRows(text, own);
      if (lacking.length === 0) continue;
      missing.push(...lacking);
      files.set(path, appendRows(text, lacking));
    }
    return { rows: missing, files };
  }
  // Parts never change, so that no git object is stored twice.
  const next = new Map<string, number>();
  for (const part of splitRuns(rows)) {
    const before = findParts(known, part);
    const lacking = withoutKnown(before.map(([, text]) => text), part.rows);
    missing.push(...lacking);
    for (const { text } of lacking.length === part.rows.length ? [part] : splitRuns(lacking)) {
      const prefix = toRunPrefix(partPath(part, 1));
      const number = next.get(prefix) ?? lastPart(before) + 1;
      next.set(prefix, number + 1);
      files.set(partPath(part, number), text);
    }
  }
  return { rows: missing, files };
}

function withoutKnown(
  texts: readonly (string | undefined)[],
  rows: readonly CheckRow[],
): readonly CheckRow[] {
  return texts.reduce((left, text) => missingRows(text, left), missingRows(undefined, rows));
}

function findParts({ texts }: KnownLogs, run: Run): [path: string, text: string][] {
  const prefix = toRunPrefix(partPath(run, 1));
  return [...texts].filter(([path]) => path.startsWith(prefix));
}

function lastPart(parts: readonly [path: string, text: string][]): number {
  return Math.max(0, ...parts.map(([path]) => Number(/-(\d+)\.csv$/.exec(path)?.[1] ?? 0)));
}

/** The sites whose timings are known for the UTC hour of a moment; in a nested history by its first run and pending rows. */
export function findTimedSites(
  { layout, texts }: KnownLogs,
  pending: readonly CheckRow[],
  time: Temporal.Instant,
): Set<string> {
  if (layout === "flat") return sitesWithPhases(texts.get(checksPath(time)), pending, time);
  const sites = sitesWithPhases(undefined, pending, time);
  for (const [path, text] of texts) {
    if (!path.startsWith(`${toHourFolder(time)}/`)) continue;
    for (const slug of sitesWithPhases(text, [], time)) sites.add(slug);
  }
  return sites;
}

/**
 * Paths of the logs that are older than `keepDays` days and no longer needed: every site in them, and each of
 * its locations, has its row for that day, made from all of its checks. A log that is not rolled up or can't be read stays,
 * however old it is.
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

/** Counts the checks of each site and location in the logs of a day; `undefined` if one can't be read. */
async function countChecks(
  snapshot: Pick<Snapshot, "read">,
  paths: readonly string[],
): Promise<Counted[] | undefined> {
  const counted = new Map<string, Counted>();
  for (let from = 0; from < paths.length; from += LOGS_AT_ONCE) {
    for (const text of (await snapshot.read(paths.slice(from, from + LOGS_AT_ONCE))).values()) {
      let isEmpty = true;
      for (const row of iterateRows(text)) {
        isEmpty = false;
        const location = isOfLocation(row) ? row.location : undefined;
        const key = location === undefined ? row.slug : `${row.slug}\n${location}`;
        counted.getOrInsert(key, { slug: row.slug, location, count: 0 }).count++;
      }
      if (isEmpty && isIllegible(text)) return undefined;
    }
  }
  return [...counted.values()];
}
