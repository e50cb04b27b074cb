import type { Snapshot } from "../store/store.ts";
import { utcDay } from "../time.ts";
import { CHECKS_FOLDER, dayOfLog, parseRows } from "./checks_log.ts";
import { dailyPath, rolledUp } from "./daily_log.ts";

/**
 * Paths of the logs that are older than `keepDays` days and no longer needed: every site in them has its
 * row for that day. What is not rolled up stays, however old it is.
 */
export async function expiredLogs(
  snapshot: Snapshot,
  time: Temporal.Instant,
  keepDays: number,
): Promise<string[]> {
  const first = utcDay(time.subtract({ hours: 24 * keepDays }));
  const names = await snapshot.list(CHECKS_FOLDER);
  const old = names.flatMap((name) => {
    const day = dayOfLog(name);
    return day !== undefined && day < first ? [{ path: `${CHECKS_FOLDER}/${name}`, day }] : [];
  });
  if (old.length === 0) return [];
  const daily = await snapshot.read([...new Set(old.map(({ day }) => dailyPath(day)))]);
  const done = new Map([...daily.values()].flatMap((text) => [...rolledUp(text)]));
  const candidates = old.filter(({ day }) => done.has(day));
  const logs = await snapshot.read(candidates.map(({ path }) => path));
  return candidates.filter(({ path, day }) =>
    parseRows(logs.get(path) ?? "").every(({ slug }) => done.get(day)!.has(slug))
  ).map(({ path }) => path);
}
