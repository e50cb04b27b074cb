import type { Snapshot } from "../history/store/store.ts";
import { dateOf, dayOf } from "../time.ts";
import { CHECKS_FOLDER, dayOfLog, parseRows, UPPTIME } from "../history/checks_log.ts";
import { loadStoredRunState } from "../history/run_state.ts";

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
  const texts = await snapshot.read(recent.map((name) => `${CHECKS_FOLDER}/${name}`));
  const pending = (await loadStoredRunState(snapshot)).rows;
  const moments = new Set<number>();
  for (const { time, location } of [...[...texts.values()].map(parseRows), pending].flat()) {
    const moment = time.epochMilliseconds;
    if (moment >= from && location !== UPPTIME) moments.add(moment);
  }
  return {
    moments: [...moments].sort((one, other) => one - other),
    isAll: recent.length === logs.length,
  };
}
