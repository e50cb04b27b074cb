import type { Snapshot } from "./store/store.ts";
import { formatDate, utcDay } from "../time.ts";
import { CHECKS_FOLDER, dayOfLog, isIllegible, parseRows } from "./checks_log.ts";
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
  const first = utcDay(time.subtract({ hours: 24 * keepDays }));
  const names = await snapshot.list(CHECKS_FOLDER);
  const old = names.flatMap((name) => {
    const day = dayOfLog(name);
    return day !== undefined && day < first ? [{ path: `${CHECKS_FOLDER}/${name}`, day }] : [];
  });
  const years = new Set(old.map(({ day }) => dailyPath(Date.parse(day))));
  const days = parseDays((await snapshot.read([...years])).values());
  const dates = new Set(
    [...days.values()].flatMap((own) => own.map(({ from }) => formatDate(from))),
  );
  const candidates = old.filter(({ day }) => dates.has(day));
  const logs = await snapshot.read(candidates.map(({ path }) => path));
  return candidates.filter(({ path, day }) => {
    const text = logs.get(path) ?? "";
    const rows = Map.groupBy(parseRows(text), ({ slug }) => slug);
    return !isIllegible(text) && [...rows].every(([slug, own]) => {
      const rolledUp = days.get(slug)?.find(({ from }) => formatDate(from) === day);
      return rolledUp !== undefined && !(rolledUp.checks < own.length);
    });
  }).map(({ path }) => path);
}
