import { DAY, formatDate } from "../time.ts";
import { type CheckRow, CHECKS_FOLDER, dayOfLog, iterateRows } from "./checks_log.ts";
import { readParts } from "./log_parts.ts";
import type { Snapshot } from "./store/store.ts";

/** Characters at the end of a log that are searched for runs: they are enough for a usual gap. */
const SEARCHED = 1_000_000;

/** Collects the starts of runs, in milliseconds since 1970. */
export class RunStarts {
  readonly #moments = new Set<number>();
  #last?: Temporal.Instant;

  /** Adds the run of a row; checks that were imported were no runs, and a location is not the whole run. */
  addRow({ time, location }: Pick<CheckRow, "time" | "location">): void {
    // The rows of a run follow each other.
    if (location !== undefined || time === this.#last) return;
    this.#last = time;
    this.#moments.add(time.epochMilliseconds);
  }

  /** Adds the runs at the end of a log, whose rows are not parsed. */
  addLogEnd(text: string): void {
    for (const [, time] of text.slice(-SEARCHED).matchAll(/^([\d-]+T[\d:.]+Z),/gm)) {
      this.#moments.add(Date.parse(time!));
    }
  }

  /** Lists them in ascending order. */
  list(): number[] {
    return [...this.#moments].sort((one, other) => one - other);
  }
}

/**
 * Reads the starts of the runs since a moment (milliseconds since 1970), ascending, with those of the last day
 * before it that has any. `pending` are the rows that are not flushed.
 */
export async function readRunStarts(
  snapshot: Pick<Snapshot, "listAll" | "read">,
  since: number,
  pending: readonly CheckRow[],
): Promise<number[]> {
  const starts = new RunStarts();
  const names = (await snapshot.listAll(CHECKS_FOLDER)).filter((name) => dayOfLog(name));
  const days = [...new Set(names.map((name) => dayOfLog(name)!))].sort();
  const first = days.findLast((day) => day < formatDate(since)) ?? formatDate(since - DAY);
  const paths = names.filter((name) => dayOfLog(name)! >= first)
    .map((name) => `${CHECKS_FOLDER}/${name}`);
  for await (const [, text] of readParts(snapshot, paths)) {
    for (const row of iterateRows(text)) starts.addRow(row);
  }
  for (const row of pending) starts.addRow(row);
  return starts.list();
}
