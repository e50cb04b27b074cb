import { floorToDay } from "../time.ts";
import { CHECKS_FOLDER, COLUMNS, dayOfLog, UPPTIME } from "./checks_log.ts";
import { readRows, unescapeCell } from "./csv.ts";
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
 * Reads the response times of the single checks of wanted UTC days (milliseconds since 1970), by slug and ascending, if
 * their checks are in none of the histories because only their totals count.
 */
export async function readOlderTimes(
  snapshot: Pick<HistoryFiles, "listAll" | "read">,
  histories: ReadonlyMap<string, SiteHistory>,
  isWanted: (day: number) => boolean,
): Promise<Map<string, MeasuredTime[]>> {
  const known = new Set<number>();
  for (const { checks } of histories.values()) {
    for (const { time } of checks) known.add(floorToDay(time));
  }
  const newest = Math.max(...known);
  const names = sortParts(await snapshot.listAll(CHECKS_FOLDER)).filter((name) => {
    const day = Date.parse(dayOfLog(name) ?? "");
    return day < newest && !known.has(day) && isWanted(day);
  });
  const paths = names.slice(-MOST_PARTS).map((name) => `${CHECKS_FOLDER}/${name}`);
  const times = new Map<string, MeasuredTime[]>();
  for await (const [, text] of readParts(snapshot, paths)) {
    let [last, time] = ["", NaN];
    // There are a million lines, of which only these cells count.
    for (const cells of readRows(text, COLUMNS)) {
      const [moment = "", , slug = "", state, , ms, , , location] = cells;
      if (!ms || (state !== "up" && state !== "degraded")) continue;
      if (location && location !== UPPTIME) continue;
      // The checks of a run share their time.
      if (moment !== last) [last, time] = [moment, Date.parse(moment)];
      if (Number.isNaN(time) || Number.isNaN(Number(ms))) continue;
      times.getOrInsert(unescapeCell(slug), []).push({ time, ms: Number(ms) });
    }
  }
  return new Map([...times].map(([slug, own]) => [slug, sortOnce(own)]));
}

/** Sorts by time; a check that a log has twice counts once. */
function sortOnce(times: MeasuredTime[]): MeasuredTime[] {
  return times.sort((one, other) => one.time - other.time)
    .filter(({ time }, index, all) => time !== all[index - 1]?.time);
}
