import type { Snapshot } from "./store/store.ts";
import { utcDay } from "../time.ts";
import {
  CHECKS_FOLDER,
  dayOfLog,
  isIllegible,
  isOfLocation,
  iterateRows,
  LOGS_AT_ONCE,
} from "./checks_log.ts";
import {
  containsDay,
  DAILY_FOLDER,
  isDailyLog,
  parseDays,
  parseLocationDays,
  sortDailyLogs,
} from "./daily_log.ts";
import { findDay } from "./site_history.ts";

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
  const daily = sortDailyLogs(await snapshot.listAll(DAILY_FOLDER)).filter((name) =>
    [...old.keys()].some((day) => containsDay(name, day))
  );
  const readDaily = async (of: "sites" | "locations") => {
    const own = daily.filter((name) => isDailyLog(name, of));
    return (await snapshot.read(own.map((name) => `${DAILY_FOLDER}/${name}`))).values();
  };
  const days = parseDays(await readDaily("sites"));
  const locationDays = parseLocationDays(await readDaily("locations"));
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
        const known = counted.get(key);
        if (known === undefined) counted.set(key, { slug: row.slug, location, count: 1 });
        else known.count++;
      }
      if (isEmpty && isIllegible(text)) return undefined;
    }
  }
  return [...counted.values()];
}
