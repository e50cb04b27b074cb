import type { Snapshot } from "../history/store/store.ts";
import { dateOf, dayOf } from "../time.ts";
import { CHECKS_FOLDER, dayOfLog } from "../history/checks_log.ts";
import { CheckColumns } from "../history/logs/check_columns.ts";
import { recall } from "./recall.ts";

/** When checks were made since a moment. */
export interface RecentRuns {
  /** Milliseconds since 1970, ascending, each run once. */
  moments: readonly number[];
  /** Whether there were none before. */
  isAll: boolean;
}

/**
 * When checks were made since a moment. Those that wait for the next commit are among them; what was taken
 * over from elsewhere is not.
 */
export async function recentRuns(
  snapshot: Snapshot,
  since: Temporal.Instant,
): Promise<RecentRuns> {
  const from = since.epochMilliseconds;
  const first = dateOf(dayOf(from));
  const names = await snapshot.list(CHECKS_FOLDER);
  const logs = names.filter((name) => dayOfLog(name) !== undefined);
  const recent = logs.filter((name) => dayOfLog(name)! >= first);
  const columns = new CheckColumns();
  for await (
    const [, log] of snapshot.stream(recent.map((name) => `${CHECKS_FOLDER}/${name}`))
  ) columns.addLog(log);
  columns.addRows((await recall(snapshot)).rows);
  const moments = new Set<number>();
  for (const { times, imported } of columns.gathered().values()) {
    times.forEach((time, index) => {
      if (time >= from && imported[index] !== 1) moments.add(time);
    });
  }
  return {
    moments: [...moments].sort((one, other) => one - other),
    isAll: recent.length === logs.length,
  };
}
