import type { Snapshot } from "./store/store.ts";
import { formatDate, utcDay } from "../time.ts";
import {
  type CheckRow,
  CHECKS_FOLDER,
  dayOfLog,
  isIllegible,
  isOfLocation,
  parseRows,
} from "./checks_log.ts";
import { dailyPath, locationDaysPath, parseDays, parseLocationDays } from "./daily_log.ts";

/**
 * Paths of the logs that are older than `keepDays` days and no longer needed: every site in them, and each of
 * its locations, has its row for that day, made from all of its checks. A log that is not rolled up or can't be read stays,
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
  const readLogs = async (pathOf: (day: number) => string) => {
    const paths = new Set(old.map(({ day }) => pathOf(Date.parse(day))));
    return (await snapshot.read([...paths])).values();
  };
  const days = parseDays(await readLogs(dailyPath));
  const locationDays = parseLocationDays(await readLogs(locationDaysPath));
  const dates = new Set(
    [...days.values()].flatMap((own) => own.map(({ from }) => formatDate(from))),
  );
  const candidates = old.filter(({ day }) => dates.has(day));
  const logs = await snapshot.read(candidates.map(({ path }) => path));
  return candidates.filter(({ path, day }) => {
    const text = logs.get(path) ?? "";
    const rows = Map.groupBy(
      parseRows(text),
      (row) => isOfLocation(row) ? `${row.slug}\n${row.location}` : row.slug,
    );
    return !isIllegible(text) && [...rows.values()].every((own) => {
      const [first] = own as [CheckRow];
      const known = isOfLocation(first)
        ? locationDays.get(first.slug)?.get(first.location!)
        : days.get(first.slug);
      const rolledUp = known?.find(({ from }) => formatDate(from) === day);
      return rolledUp !== undefined && !(rolledUp.checks < own.length);
    });
  }).map(({ path }) => path);
}
