import type { Author } from "../../git/objects.ts";
import { API_FOLDER, isApiPath, slugOfApi, statisticsPath } from "../../history/api_path.ts";
import { firstKept } from "../../history/expired_logs.ts";
import type { Run } from "../../history/run.ts";
import { type ReadHistories, readHistories } from "../../history/read_histories.ts";
import { SUMMARY_PATH } from "../summary/summary.ts";
import type { Change, Published, Snapshot } from "../../history/store/store.ts";
import { maxGapOf } from "../../config/max_gap.ts";
import type { OpenedReport } from "../../../commands/shared/open_report.ts";
import type { Report } from "./report.ts";
import { reportOf } from "./report_of.ts";
import { rollUpLogs } from "./roll_up_logs.ts";

/** What statistics are recorded with. */
export interface RecordStatisticsOptions {
  run: Run;
  /** Every file that is made of a report, by path; `summary` is the text of the one on the branch. */
  filesOf(report: Report, summary: string | undefined): ReadonlyMap<string, string>;
  message: string;
  author: Author;
  /** Whether nothing is written. */
  dryRun: boolean;
}

/** What recording statistics came to. */
export interface RecordedStatistics {
  report: Report;
  /** Files that change, by path; `null` for one that goes. */
  files: Change["files"];
  /** Absent where nothing was kept, because nothing changes or may be written. */
  published?: Published;
}

/**
 * Rolls up days, and writes every file that is made of the report, where it differs. Single checks go
 * that are older than they are kept for. All of it is made anew where somebody else was faster.
 *
 * @throws {Error} Where it could not be kept.
 */
export async function recordStatistics(
  { config, tellsAll, store, snapshot, read, report }: Pick<
    OpenedReport,
    "config" | "tellsAll" | "store" | "snapshot" | "read" | "report"
  >,
  { filesOf, message, author, run, dryRun }: RecordStatisticsOptions,
): Promise<RecordedStatistics> {
  const plan = async (newest: Snapshot, known: ReadHistories, current: Report) => {
    const days = rollUpLogs(known, current, maxGapOf(config));
    const before = await heldFiles(newest, [SUMMARY_PATH, ...days.keys()]);
    const after = new Map([...days, ...filesOf(current, before.get(SUMMARY_PATH))]);
    const removed = [
      ...expiredLogs(known, current.time, config.history.keepDays),
      ...tellsAll ? goneFiles([...before.keys()], current) : [],
    ];
    return new Map<string, string | null>([
      ...[...after].filter(([path, text]) => before.get(path) !== text),
      ...removed.map((path): [string, null] => [path, null]),
    ]);
  };
  let recorded: RecordedStatistics = { report, files: await plan(snapshot, read, report) };
  if (dryRun || recorded.files.size === 0) return recorded;
  let isFirst = true;
  const published = await store.publish(async (newest) => {
    const isSame = isFirst && (newest.version === undefined || newest.version === snapshot.version);
    isFirst = false;
    if (!isSame) {
      const known = await readHistories(newest, config.sites);
      const current = reportOf(config, known, run.time);
      recorded = { report: current, files: await plan(newest, known, current) };
    }
    if (recorded.files.size === 0 || !newest.capabilities.commits) return undefined;
    return { run: run.id, time: run.time, files: recorded.files, message, author };
  });
  if (published.refused !== undefined) throw published.refused;
  return { ...recorded, published };
}

/** What there is of files, and of all that other programs were given. */
async function heldFiles(
  snapshot: Snapshot,
  paths: readonly string[],
): Promise<Map<string, string>> {
  const [texts, given] = await Promise.all([
    snapshot.read(paths),
    snapshot.readAll(API_FOLDER, isApiPath),
  ]);
  const decoder = new TextDecoder();
  return new Map([
    ...texts,
    ...[...given].map(([path, bytes]) => [path, decoder.decode(bytes)] as const),
  ]);
}

/**
 * Badges and statistics of sites that were monitored here and no longer are, so that no badge says forever
 * that they are up. A folder without our `statistics.json` was written by another program and stays.
 */
function goneFiles(paths: readonly string[], { sites }: Report): string[] {
  const slugs = new Set(sites.map(({ site }) => site.slug));
  return paths.filter((path) => {
    const slug = slugOfApi(path);
    return slug !== undefined && !slugs.has(slug) &&
      paths.includes(statisticsPath(slug));
  });
}

/** Logs of days that are rolled up and older than they are kept for; not one in which nothing can be read. */
function expiredLogs(
  { logs, illegible }: Pick<ReadHistories, "logs" | "illegible">,
  time: Temporal.Instant,
  keepDays: number,
): string[] {
  const first = firstKept(time, keepDays);
  const old = [...logs].filter(([day]) => day < first).map(([, path]) => path);
  return old.filter((path) => !illegible.includes(path));
}
