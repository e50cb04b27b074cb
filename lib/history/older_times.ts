import { floorToDay } from "../time.ts";
import { CHECKS_FOLDER, COLUMNS, dayOfLog, UPPTIME } from "./checks_log.ts";
import { readRows, unescapeCell } from "./csv.ts";
import { readParts, sortParts } from "./log_parts.ts";
import type { SiteHistory } from "./site_history.ts";
import type { HistoryFiles } from "./store/store.ts";

/** Response times of checks: there are a million, too many for objects. */
export interface MeasuredTimes {
  /** When each check started, in milliseconds since 1970, ascending. */
  readonly times: readonly number[];
  /** Milliseconds of each. */
  readonly ms: readonly number[];
}

export const NO_TIMES: MeasuredTimes = { times: [], ms: [] };

const [TIME, SLUG, STATE, MS, LOCATION] = ["time", "slug", "state", "ms", "location"]
  .map((name) => COLUMNS.indexOf(name)) as [number, number, number, number, number];

/** Most parts of logs that are read: with hundreds of sites, those of more days take too long. */
const MOST_PARTS = 60;

/**
 * Reads the response times of the single checks of wanted UTC days (milliseconds since 1970), by slug, if
 * their checks are in none of the histories because only their totals count.
 */
export async function readOlderTimes(
  snapshot: Pick<HistoryFiles, "listAll" | "read">,
  histories: ReadonlyMap<string, SiteHistory>,
  isWanted: (day: number) => boolean,
): Promise<Map<string, MeasuredTimes>> {
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
  const times = new Map<string, { times: number[]; ms: number[] }>();
  for await (const [, text] of readParts(snapshot, paths)) {
    let [moment, time] = ["", NaN];
    for (const row of readRows(text, COLUMNS)) {
      const ms = row.number(MS);
      if (Number.isNaN(ms) || !(row.is(STATE, "up") || row.is(STATE, "degraded"))) continue;
      if (!(row.is(LOCATION, "") || row.is(LOCATION, UPPTIME))) continue;
      // The checks of a run share their time.
      if (!row.is(TIME, moment)) {
        moment = row.text(TIME);
        time = Date.parse(moment);
      }
      if (Number.isNaN(time)) continue;
      const slug = unescapeCell(row.text(SLUG));
      const own = times.getOrInsertComputed(slug, () => ({ times: [], ms: [] }));
      own.times.push(time);
      own.ms.push(ms);
    }
  }
  return new Map([...times].map(([slug, own]) => [slug, sortOnce(own)]));
}

/** Sorts by time; a check that a log has twice counts once. */
function sortOnce({ times, ms }: MeasuredTimes): MeasuredTimes {
  // Nearly all are sorted.
  if (times.every((time, index) => index === 0 || times[index - 1]! < time)) return { times, ms };
  const order = [...times.keys()].sort((one, other) => times[one]! - times[other]!)
    .filter((at, index, all) => times[at] !== times[all[index - 1] ?? -1]);
  return { times: order.map((at) => times[at]!), ms: order.map((at) => ms[at]!) };
}
