import { computeMaxGap, type Config } from "../../config/config.ts";
import type { Author } from "../../git/objects.ts";
import {
  API_FOLDER,
  findApiSlug,
  groupBadgePath,
  isApiPath,
  statisticsPath,
} from "../../history/api_path.ts";
import type { Run } from "../../history/checks_log.ts";
import {
  dailyPath,
  type DayTotals,
  formatDays,
  formatLocationDays,
  locationDaysPath,
  planDailyFiles,
} from "../../history/daily_log.ts";
import { expiredLogs } from "../../history/known_logs.ts";
import { type ReadHistories, readHistories } from "../../history/read_histories.ts";
import { findDay } from "../../history/site_history.ts";
import {
  type Change,
  overlayFiles,
  type Published,
  type Snapshot,
  type Store,
} from "../../history/store/store.ts";
import type { Report } from "./report.ts";
import { selectPublicReport } from "./public_report.ts";
import { computeReport } from "./report_of.ts";
import { rollUp } from "../rolled_days.ts";
import { selectLocationSamples, selectSamples } from "../samples.ts";
import { parseSummary, SUMMARY_PATH, type SummaryEntry } from "../summary.ts";

interface RecordedStatistics {
  report: Report;
  /** Files that change, by path; `null` for one that is removed. */
  files: Change["files"];
  /** Absent if nothing was published, because nothing changes or may be written. */
  published?: Published;
}

/**
 * Rolls up days, writes every file of the report that differs, and removes single checks that are older than
 * they are kept for. All of it is computed again if another run was faster.
 *
 * @throws {Error} If it can't be published.
 */
export async function recordStatistics(
  { config, listsAllSites, store, snapshot, read, report }: {
    config: Config;
    listsAllSites: boolean;
    store: Store;
    snapshot: Snapshot;
    read: ReadHistories;
    report: Report;
  },
  { filesOf, message, author, run }: {
    run: Run;
    /** Renders every file of a report, with its path, given the entries of the summary on the branch by slug. */
    filesOf(
      report: Report,
      summary: ReadonlyMap<string, SummaryEntry>,
    ): Iterable<[path: string, text: string]>;
    message: string;
    author: Author;
  },
): Promise<RecordedStatistics> {
  const plan = async (newest: Snapshot, known: ReadHistories, current: Report) => {
    const logs = rollUpLogs(known, current, computeMaxGap(config));
    const days = await planDailyFiles(logs, newest);
    const texts = await newest.read([SUMMARY_PATH]);
    const { changed, paths } = await compareFiles(newest, function* () {
      yield* days;
      yield* filesOf(current, parseSummary(texts.get(SUMMARY_PATH) ?? ""));
    });
    const removed = [
      ...await expiredLogs(overlayFiles(newest, logs), current.time, config.history.keepDays),
      ...needlessFiles(await newest.listAll(API_FOLDER), paths, { config, listsAllSites }),
    ];
    for (const path of removed) changed.set(path, null);
    return changed;
  };
  let recorded: RecordedStatistics = { report, files: await plan(snapshot, read, report) };
  if (recorded.files.size === 0) return recorded;
  let isFirst = true;
  const published = await store.publish(async (newest) => {
    const isSame = isFirst && (newest.version === undefined || newest.version === snapshot.version);
    isFirst = false;
    if (!isSame) {
      const known = await readHistories(newest, config.sites);
      const current = selectPublicReport(computeReport(config, known, run.time), known);
      recorded = { report: current, files: await plan(newest, known, current) };
    }
    if (recorded.files.size === 0 || !newest.capabilities.commits) return undefined;
    return { run: run.id, time: run.time, files: recorded.files, message, author };
  });
  if (published.refused !== undefined) throw published.refused;
  return { ...recorded, published };
}

/**
 * The whole daily logs that change, also those of locations, by the path of their first part: the known days, with
 * every day that is over and whose checks were read. Sites that are no longer configured are rolled up like any other,
 * so that their checks may expire too.
 */
function rollUpLogs(
  { histories }: ReadHistories,
  { sites, time }: Report,
  maxGap: number,
): Map<string, string> {
  const known = new Map(sites.map(({ site, samples }) => [site.slug, samples]));
  const options = { maxGap, now: time.epochMilliseconds };
  const ofSites = new Map<string, RolledUp>();
  const ofLocations = new Map<string, [location: string, RolledUp][]>();
  for (const [slug, history] of histories) {
    const samples = known.get(slug) ?? selectSamples(history, options);
    ofSites.set(slug, { days: history.days, fresh: rollUp(samples) });
    const own = [...history.locations ?? []].map(([location, { days }]): [string, RolledUp] => {
      const seen = selectLocationSamples(history, location, options);
      return [location, { days, fresh: rollUp(seen) }];
    });
    ofLocations.set(slug, own);
  }
  const select = (all: readonly [name: string, RolledUp][], year: number) =>
    new Map(all.map(([name, one]) => [name, selectYear(one, year)]));
  const logs = new Map<string, string>();
  for (const year of listYears([...ofSites.values()])) {
    logs.set(dailyPath(Date.UTC(year)), formatDays(select([...ofSites], year)));
  }
  for (const year of listYears([...ofLocations.values()].flat().map(([, one]) => one))) {
    const days = new Map([...ofLocations].map(([slug, own]) => [slug, select(own, year)]));
    logs.set(locationDaysPath(Date.UTC(year)), formatLocationDays(days));
  }
  return logs;
}

interface RolledUp {
  days: readonly DayTotals[];
  fresh: readonly DayTotals[];
}

/** The years that get new days, ascending. */
function listYears(rolled: readonly RolledUp[]): number[] {
  const years = rolled.flatMap(({ fresh }) =>
    fresh.map(({ from }) => new Date(from).getUTCFullYear())
  );
  return [...new Set(years)].sort();
}

/** The known and the new days of a year; of a day that is both, the new one. */
function selectYear({ days, fresh }: RolledUp, year: number): DayTotals[] {
  const [from, to] = [Date.UTC(year, 0), Date.UTC(year + 1, 0)];
  const all = [days, fresh].flatMap((some) =>
    some.slice(findDay(some, from), findDay(some, to)).map((day) => [day.from, day] as const)
  );
  return [...new Map(all).values()];
}

/** Files that are compared at once: those of many sites don't fit into memory together. */
const COMPARED_AT_ONCE = 10_000;

/** Selects the files that a snapshot lacks or has with another text, and lists the paths of all. */
async function compareFiles(
  snapshot: Pick<Snapshot, "read" | "readAll">,
  filesOf: () => Iterable<[path: string, text: string | null]>,
): Promise<{ changed: Map<string, string | null>; paths: ReadonlySet<string> }> {
  const changed = new Map<string, string | null>();
  const paths = new Set<string>();
  const decoder = new TextDecoder();
  let some: [path: string, text: string | null][] = [];
  const compare = async () => {
    const own = new Set(some.map(([path]) => path));
    // Finding so many files by their paths would take minutes.
    const api = await snapshot.readAll(API_FOLDER, (path) => own.has(path));
    const others = await snapshot.read([...own].filter((path) => !isApiPath(path)));
    for (const [path, text] of some) {
      paths.add(path);
      const bytes = api.get(path);
      const before = bytes === undefined ? others.get(path) : decoder.decode(bytes);
      if (before !== text) changed.set(path, text);
    }
    some = [];
  };
  for (const file of filesOf()) {
    some.push(file);
    if (some.length === COMPARED_AT_ONCE) await compare();
  }
  await compare();
  return { changed, paths };
}

/**
 * Badges and statistics of sites that were monitored here and no longer are, so that no badge says forever that they
 * are up, and of sites that are hidden now. A folder without our `statistics.json` was written by another program and stays.
 */
function needlessFiles(
  names: readonly string[],
  written: ReadonlySet<string>,
  { config: { sites, groups }, listsAllSites }: { config: Config; listsAllSites: boolean },
): string[] {
  const paths = names.map((name) => `${API_FOLDER}/${name}`).filter(isApiPath);
  const ofGroups = new Set(groups.map(({ slug }) => groupBadgePath(slug)));
  const [slugs, present] = [new Set(sites.map(({ slug }) => slug)), new Set(paths)];
  return paths.filter((path) => {
    if (written.has(path)) return false;
    const slug = findApiSlug(path);
    if (slug === undefined ? ofGroups.has(path) : slugs.has(slug)) return true;
    return listsAllSites && (slug === undefined || present.has(statisticsPath(slug)));
  });
}
