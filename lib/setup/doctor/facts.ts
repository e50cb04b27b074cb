import type { Config } from "../../config/config.ts";
import type { UnsupportedService } from "../../config/upptime/unsupported_services.ts";
import type { Known, RepositorySettings } from "../../github/repository_settings.ts";
import { findPartTime } from "../../history/known_logs.ts";
import { CHECKS_FOLDER, dayOfLog, parseRows, UPPTIME } from "../../history/checks_log.ts";
import { loadStoredRunState } from "../../history/run_state.ts";
import type { Snapshot } from "../../history/store/store.ts";
import { floorToDay, formatDate } from "../../time.ts";
import type { Billing } from "../billing.ts";
import type { PlannedWorkflow } from "../workflow_files.ts";

/** Everything that the examinations use. */
export interface Facts extends RepositorySettings {
  now: Temporal.Instant;
  /** Start of the last week. */
  since: Temporal.Instant;
  file: string;
  /** Absent if it is missing or unusable. */
  config?: Config;
  errors: number;
  billing?: Billing;
  /** Plan for the workflow files; empty without a configuration. */
  files: readonly PlannedWorkflow[];
  /** Names of the secrets in the environment; absent if it has none. */
  given?: readonly string[];
  /** Services that Upptime's secrets set up and this program does not notify. */
  unsupported: readonly UnsupportedService[];
  /** Times of checks since {@linkcode Facts.since}. */
  runs: Known<RecentRuns>;
}

/** Result of an examination: fine, to `change`, good to know, or `unexamined`. */
export type Verdict = "well" | "change" | "note" | "unexamined";

export interface Finding {
  verdict: Verdict;
  /** A sentence without its full stop. */
  says: string;
  cure?: string;
}

/** Examines one part of the setup; returns nothing if that part is not wanted. */
export type Examination = (facts: Facts) => Finding[];

export function well(says: string): Finding[] {
  return [{ verdict: "well", says }];
}

export function change(says: string, cure?: string): Finding {
  return { verdict: "change", says, cure };
}

export function note(says: string, cure?: string): Finding {
  return { verdict: "note", says, cure };
}

export function unexamined(why: string): Finding[] {
  return [{ verdict: "unexamined", says: why }];
}

interface RecentRuns {
  /** Milliseconds since 1970, ascending, each run once. */
  moments: readonly number[];
  /** True if there were none before, but for those imported from Upptime. */
  isAll: boolean;
}

/** Reads the times of the runs since a moment, pending ones included; rows imported from Upptime are left out. */
export async function readRecentRuns(
  snapshot: Snapshot,
  since: Temporal.Instant,
): Promise<RecentRuns> {
  const from = since.epochMilliseconds;
  const first = formatDate(floorToDay(from));
  const names = await snapshot.listAll(CHECKS_FOLDER);
  const logs = names.filter((name) => dayOfLog(name) !== undefined);
  const recent = logs.filter((name) => dayOfLog(name)! >= first);
  const before = logs.filter((name) => dayOfLog(name)! < first).sort().slice(-1);
  // The parts of a nested history are too many to be read; their names tell the minute.
  const [parts, whole] = [
    recent.filter(findPartTime),
    recent.filter((name) => !findPartTime(name)),
  ];
  const texts = await snapshot.read(whole.map((name) => `${CHECKS_FOLDER}/${name}`));
  const earlier = await snapshot.read(before.map((name) => `${CHECKS_FOLDER}/${name}`));
  const pending = (await loadStoredRunState(snapshot)).rows;
  const moments = new Set(parts.map((name) => findPartTime(name)!).filter((at) => at >= from));
  for (const { time, location } of [...[...texts.values()].map(parseRows), pending].flat()) {
    const moment = time.epochMilliseconds;
    if (moment >= from && location !== UPPTIME) moments.add(moment);
  }
  return {
    moments: [...moments].sort((one, other) => one - other),
    isAll: [...earlier.values()].flatMap(parseRows).every(({ location }) => location === UPPTIME),
  };
}
