import { isSuccess } from "../state.ts";
import { DAY, floorToDay } from "../time.ts";
import { CHECKS_FOLDER, dayOfLog, isOfLocation, iterateRows, type ReadRows } from "./checks_log.ts";
import { readParts, sortParts } from "./log_parts.ts";
import type { SiteHistory } from "./site_history.ts";
import type { HistoryFiles } from "./store/store.ts";

/** A response time, in milliseconds, of a check that started at `time`, in milliseconds since 1970. */
export interface MeasuredTime {
  time: number;
  ms: number;
}

/** Most parts of logs that are read: with hundreds of sites, those of more days take too long. */
const MOST_PARTS = 60;

/**
 * Reads the response times of single checks since a moment, by slug and ascending, of days whose checks are in none of
 * the histories because only their totals count.
 */
export async function readOlderTimes(
  snapshot: Pick<HistoryFiles, "listAll" | "read">,
  histories: ReadonlyMap<string, SiteHistory>,
  since: number,
): Promise<Map<string, MeasuredTime[]>> {
  const known = new Set<number>();
  for (const { checks } of histories.values()) {
    for (const { time } of checks) known.add(floorToDay(time));
  }
  const newest = Math.max(...known);
  const names = sortParts(await snapshot.listAll(CHECKS_FOLDER)).filter((name) => {
    const day = Date.parse(dayOfLog(name) ?? "");
    return day > since - DAY && day < newest && !known.has(day);
  });
  const paths = names.slice(-MOST_PARTS).map((name) => `${CHECKS_FOLDER}/${name}`);
  const times = new Map<string, MeasuredTime[]>();
  let [day, runs]: [string | undefined, ReadRows] = [undefined, new Map()];
  for await (const [path, text] of readParts(snapshot, paths)) {
    const own = dayOfLog(path.slice(CHECKS_FOLDER.length + 1));
    if (own !== day) [day, runs] = [own, new Map()];
    for (const row of iterateRows(text, runs)) {
      const { slug, state, ms } = row;
      const time = row.time.epochMilliseconds;
      if (ms === undefined || !isSuccess(state) || isOfLocation(row) || time < since) continue;
      times.getOrInsert(slug, []).push({ time, ms });
    }
  }
  for (const own of times.values()) own.sort((one, other) => one.time - other.time);
  return times;
}
