import type { Site } from "../config/config.ts";
import { maintenanceWindows } from "./maintenance_windows.ts";
import type { SiteHistory } from "./site_history.ts";
import type { Snapshot } from "./store/store.ts";
import { addDays } from "./logs/add_days.ts";
import { CheckColumns, NO_CHECKS } from "./logs/check_columns.ts";
import { CHECKS_FOLDER, dayOfLog } from "./checks_log.ts";
import { DAILY_FOLDER } from "./daily_log.ts";
import { isIllegible } from "./expired_logs.ts";
import type { Maintenance } from "./maintenance.ts";
import { recall, type Recalled } from "../pipeline/recall.ts";
import { type HistoryRecord, parseRecord, recordPath } from "./record.ts";
import { NO_DAYS } from "./logs/packed_days.ts";
import type { SiteDays } from "./logs/site_days.ts";
import { sortedIncidents } from "./sorted_incidents.ts";
import { freshen } from "../pipeline/state.ts";
import { readStoredIncidents, type StoredIncidents } from "./stored_incidents.ts";
import { withRefused } from "./with_refused.ts";

/** Everything that is known of sites. */
export interface ReadHistories {
  /** By slug: of sites nothing is known of too, and of those that are gone. */
  histories: Map<string, SiteHistory>;
  /** As the last checks left them, by slug. */
  records: Map<string, HistoryRecord>;
  /** Every maintenance window that has a file, by its name. */
  maintenance: ReadonlyMap<string, Maintenance>;
  /** Paths of the logs of single checks, by date. */
  logs: Map<string, string>;
  /** Paths of logs that have lines of which none can be read. */
  illegible: readonly string[];
  /** Everything that stands among the incidents. */
  stored: StoredIncidents;
  recalled: Recalled;
}

/**
 * Reads the whole history of sites, with what waits beside the branch. `onProgress` is told how many of
 * all logs are read.
 */
export async function readHistories(
  branch: Snapshot,
  sites: readonly Site[],
  onProgress: (done: number, all: number) => void = () => {},
): Promise<ReadHistories> {
  const recalled = await recall(branch);
  const snapshot = withRefused(branch, recalled.memory?.files);
  const configured = sites.map(({ slug }) => slug);
  const logs = await logPaths(snapshot);
  // One is looked through while the others are fetched.
  const [{ columns, illegible }, days, stored, records] = await Promise.all([
    readChecks(snapshot, [...logs.values()], onProgress),
    readDays(snapshot),
    readStoredIncidents(snapshot),
    readRecords(snapshot, configured),
  ]);
  const { incidents, maintenance } = sortedIncidents(stored);
  columns.addRows(recalled.rows);
  for (const [slug, record] of freshen(records, recalled.rows)) records.set(slug, record);
  const bySlug = Map.groupBy(incidents, ([, { slug }]) => slug);
  const windows = maintenanceWindows([...maintenance.values()]);
  const checks = columns.gathered();
  const phases = columns.phases();
  const slugs = [...new Set([...configured, ...checks.keys(), ...days.keys()])];
  const histories = slugs.map((slug): [string, SiteHistory] => [slug, {
    slug,
    first: records.get(slug)?.startTime.epochMilliseconds,
    checks: checks.get(slug) ?? NO_CHECKS,
    phases: phases.get(slug),
    days: days.get(slug)?.days() ?? NO_DAYS,
    incidents: new Map(bySlug.get(slug)),
    maintenance: windows.get(slug) ?? [],
  }]);
  const read = { records, maintenance, logs, illegible, stored, recalled };
  return { histories: new Map(histories), ...read };
}

async function logPaths(snapshot: Snapshot): Promise<Map<string, string>> {
  const names = await snapshot.list(CHECKS_FOLDER);
  return new Map(names.flatMap((name) => {
    const day = dayOfLog(name);
    return day === undefined ? [] : [[day, `${CHECKS_FOLDER}/${name}`]];
  }));
}

async function readChecks(
  snapshot: Snapshot,
  paths: readonly string[],
  onProgress: (done: number, all: number) => void,
): Promise<{ columns: CheckColumns; illegible: string[] }> {
  const columns = new CheckColumns();
  const illegible: string[] = [];
  let done = 0;
  for await (const [path, log] of snapshot.stream(paths)) {
    if (columns.addLog(log) === 0 && isIllegible(new TextDecoder().decode(log))) {
      illegible.push(path);
    }
    onProgress(++done, paths.length);
    // Most days have about as many checks; with a fifth more hardly any has to be copied.
    if (done === 1) columns.reserve(1.2 * paths.length);
  }
  return { columns, illegible };
}

async function readDays(snapshot: Snapshot): Promise<Map<string, SiteDays>> {
  const names = await snapshot.list(DAILY_FOLDER);
  const years = names.filter((name) => /^\d{4}\.csv$/.test(name)).sort();
  const days = new Map<string, SiteDays>();
  const paths = years.map((year) => `${DAILY_FOLDER}/${year}`);
  for await (const [, log] of snapshot.stream(paths)) addDays(days, log);
  return days;
}

async function readRecords(
  snapshot: Snapshot,
  slugs: readonly string[],
): Promise<Map<string, HistoryRecord>> {
  const texts = await snapshot.read(slugs.map(recordPath));
  return new Map(slugs.flatMap((slug): [string, HistoryRecord][] => {
    const record = parseRecord(texts.get(recordPath(slug)) ?? "");
    return record === undefined ? [] : [[slug, record]];
  }));
}
