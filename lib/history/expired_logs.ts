import type { Snapshot } from "./store/store.ts";
import { dateOf, utcDay } from "../time.ts";
import { type CheckRow, CHECKS_FOLDER, dayOfLog, isIllegible, parseRows } from "./checks_log.ts";
import { dailyPath, parseDays } from "./daily_log.ts";

/**
 * Paths of the logs that are older than `keepDays` days and no longer needed: every site in them has its
 * row for that day, made from all of its checks. A log that is not rolled up or can't be read stays,
 * however old it is.
 */
export async function expiredLogs(
  snapshot: Pick<Snapshot, "list" | "read">,
  time: Temporal.Instant,
  keepDays: number,
): Promise<string[]> {
  const first = firstKept(time, keepDays);
  const names = await snapshot.list(CHECKS_FOLDER);
  const old = names.flatMap((name) => {
    const day = dayOfLog(name);
    return day !== undefined && day < first ? [{ path: `${CHECKS_FOLDER}/${name}`, day }] : [];
  });
  const rolledUp = await readRolledUp(snapshot, old.map(({ day }) => day));
  const candidates = old.filter(({ day }) => rolledUp.has(day));
  const logs = await snapshot.read(candidates.map(({ path }) => path));
  return candidates.filter(({ path, day }) => {
    const text = logs.get(path) ?? "";
    const rows = Map.groupBy(parseRows(text), ({ slug }) => slug);
    return !isIllegible(text) && [...rows].every(([slug, own]) => {
      const checks = rolledUp.get(day)!.get(slug);
      return checks !== undefined && !(checks < own.length);
    });
  }).map(({ path }) => path);
}

/**
 * Pending rows, without those whose log has expired: a remote that no longer accepts the ref keeps the
 * last rows there for ever.
 */
export async function keptRows(
  snapshot: Pick<Snapshot, "read">,
  rows: readonly CheckRow[],
  time: Temporal.Instant,
  keepDays: number,
): Promise<CheckRow[]> {
  const first = firstKept(time, keepDays);
  const old = rows.map((row) => utcDay(row.time)).filter((day) => day < first);
  const rolledUp = await readRolledUp(snapshot, old);
  return rows.filter((row) => !rolledUp.get(utcDay(row.time))?.has(row.slug));
}

/** The first day whose checks are kept, `YYYY-MM-DD`. */
export function firstKept(time: Temporal.Instant, keepDays: number): string {
  return utcDay(time.subtract({ hours: 24 * keepDays }));
}

/** The number of checks that each site's row of a day was made from, by day and slug. */
async function readRolledUp(
  snapshot: Pick<Snapshot, "read">,
  days: readonly string[],
): Promise<Map<string, Map<string, number>>> {
  const wanted = new Set(days);
  const paths = [...new Set(days.map((day) => dailyPath(Date.parse(day))))].sort();
  const logs = await snapshot.read(paths);
  const rolledUp = new Map<string, Map<string, number>>();
  for (const [slug, own] of parseDays(logs.values())) {
    for (const { from, checks } of own) {
      const day = dateOf(from);
      if (!wanted.has(day)) continue;
      rolledUp.set(day, (rolledUp.get(day) ?? new Map()).set(slug, checks));
    }
  }
  return rolledUp;
}
