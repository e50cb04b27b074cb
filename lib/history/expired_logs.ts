import type { Snapshot } from "./store/store.ts";
import { utcDay } from "../time.ts";
import { type CheckRow, CHECKS_FOLDER, dayOfLog, parseRows } from "./checks_log.ts";
import { dailyPath, rolledUp } from "./daily_log.ts";

/**
 * Paths of the logs that are older than `keepDays` days and no longer needed: every site in them has its
 * row for that day, made from all of its checks. What is not rolled up stays, however old it is.
 */
export async function expiredLogs(
  snapshot: Snapshot,
  time: Temporal.Instant,
  keepDays: number,
): Promise<string[]> {
  const first = firstKept(time, keepDays);
  const names = await snapshot.list(CHECKS_FOLDER);
  const old = names.flatMap((name) => {
    const day = dayOfLog(name);
    return day !== undefined && day < first ? [{ path: `${CHECKS_FOLDER}/${name}`, day }] : [];
  });
  if (old.length === 0) return [];
  const done = await readRolledUp(snapshot, old.map(({ day }) => day));
  const candidates = old.filter(({ day }) => done.has(day));
  const logs = await snapshot.read(candidates.map(({ path }) => path));
  return candidates.filter(({ path, day }) => {
    const text = logs.get(path) ?? "";
    if (isIllegible(text)) return false;
    const rows = Map.groupBy(parseRows(text), ({ slug }) => slug);
    return [...rows].every(([slug, own]) => isWhole(done.get(day)!.get(slug), own.length));
  }).map(({ path }) => path);
}

/**
 * Rows that wait, without those whose log is gone for good. A remote that no longer takes the ref keeps
 * the last of them there for ever.
 */
export async function keptRows(
  snapshot: Snapshot,
  rows: readonly CheckRow[],
  time: Temporal.Instant,
  keepDays: number,
): Promise<CheckRow[]> {
  const first = firstKept(time, keepDays);
  const old = rows.map((row) => utcDay(row.time)).filter((day) => day < first);
  const done = await readRolledUp(snapshot, old);
  return rows.filter((row) => !done.get(utcDay(row.time))?.has(row.slug));
}

/** Whether a day was rolled up from all of its checks, and not before the last of them were made. */
function isWhole(rolledUp: number | undefined, checks: number): boolean {
  return rolledUp !== undefined && !(rolledUp < checks);
}

/**
 * Whether a log has lines of which none can be read, as a spreadsheet may have left it.
 *
 * @example
 * ```ts
 * import { assert } from "@std/assert";
 * assert(isIllegible("time;run;slug;state\n2026-11-21T10:05:00Z;9f3c01ab;shop;up\n"));
 * assert(!isIllegible("time,run,slug,state\n"));
 * ```
 */
export function isIllegible(text: string): boolean {
  return text.trim().includes("\n") && parseRows(text).length === 0;
}

/** The first day whose checks are kept, `YYYY-MM-DD`. */
export function firstKept(time: Temporal.Instant, keepDays: number): string {
  return utcDay(time.subtract({ hours: 24 * keepDays }));
}

/** From how many checks sites are rolled up, by day, of those days that are given. */
async function readRolledUp(
  snapshot: Snapshot,
  days: readonly string[],
): Promise<Map<string, Map<string, number>>> {
  const daily = await snapshot.read([...new Set(days.map(dailyPath))]);
  const all = [...daily.values()].flatMap((text) => [...rolledUp(text)]);
  return new Map(all.filter(([day]) => days.includes(day)));
}
