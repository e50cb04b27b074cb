import type { Author } from "../doors/git/objects.ts";
import { API_FOLDER, slugOfApi } from "../api/api_path.ts";
import { firstKept, isIllegible } from "../history/expired_logs.ts";
import type { Run } from "../history/find_out.ts";
import { type ReadHistories, readHistories } from "../history/read_histories.ts";
import { SUMMARY_PATH } from "../history/summary/summary.ts";
import { firstAtOrAfter } from "../statistics/first_at_or_after.ts";
import { DAY } from "../time.ts";
import type { Change, Published, Snapshot } from "../store/store.ts";
import { maxGapOf } from "./max_gap.ts";
import type { OpenedReport } from "./open_report.ts";
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
    const summary = (await newest.read([SUMMARY_PATH])).get(SUMMARY_PATH);
    return await changes(newest, filesOf(current, summary), {
      days: rollUpLogs(known, current, maxGapOf(config)),
      expired: await expired(newest, known, current.time, config.history.keepDays),
      gone: tellsAll ? await goneFiles(newest, current) : [],
    });
  };
  let recorded: RecordedStatistics = { report, files: await plan(snapshot, read, report) };
  if (dryRun || recorded.files.size === 0) return recorded;
  let isFirst = true;
  const published = await store.publish(async (newest) => {
    const isSame = isFirst && (newest.version === undefined || newest.version === snapshot.version);
    isFirst = false;
    if (!isSame) {
      const known = await readHistories(newest, config.sites);
      const current = reportOf(config, known, report.time);
      recorded = { report: current, files: await plan(newest, known, current) };
    }
    if (recorded.files.size === 0 || !newest.ways.commits) return undefined;
    return { run: run.id, time: run.time, files: recorded.files, message, author };
  });
  if (published.refused !== undefined) throw published.refused;
  return { ...recorded, published };
}

/** Files that differ; those that other programs are given of sites that are gone go. */
async function changes(
  snapshot: Snapshot,
  files: ReadonlyMap<string, string>,
  { days, expired, gone }: {
    days: ReadonlyMap<string, string>;
    expired: readonly string[];
    gone: readonly string[];
  },
): Promise<Map<string, string | null>> {
  const all = new Map([...days, ...files]);
  const before = await snapshot.read([...all.keys()]);
  const changed = [...all].filter(([path, text]) => before.get(path) !== text);
  const removed = [...expired, ...gone].map((path): [string, null] => [path, null]);
  return new Map<string, string | null>([...changed, ...removed]);
}

/** What other programs were given of sites that are no longer there: a badge shall not say for ever that they are up. */
async function goneFiles(snapshot: Snapshot, { sites }: Report): Promise<string[]> {
  const slugs = new Set(sites.map(({ site }) => site.slug));
  const held = await snapshot.readAll(API_FOLDER, (path) => slugOfApi(path) !== undefined);
  return [...held.keys()].filter((path) => !slugs.has(slugOfApi(path)!));
}

/** Logs of days that are rolled up and older than they are kept for; not one in which nothing can be read. */
async function expired(
  snapshot: Snapshot,
  { logs, histories }: Pick<ReadHistories, "logs" | "histories">,
  time: Temporal.Instant,
  keepDays: number,
): Promise<string[]> {
  const first = firstKept(time, keepDays);
  const old = [...logs].filter(([day]) => day < first);
  const all = [...histories.values()].map(({ checks }) => checks.times);
  const hasChecks = (day: string) => {
    const from = Date.parse(day);
    return all.some((times) => times[firstAtOrAfter(times, from)]! < from + DAY);
  };
  const paths = old.filter(([day]) => !hasChecks(day)).map(([, path]) => path);
  const texts = await snapshot.read(paths);
  const kept = new Set(paths.filter((path) => isIllegible(texts.get(path) ?? "")));
  return old.flatMap(([, path]) => kept.has(path) ? [] : [path]);
}
