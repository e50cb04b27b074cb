import type { Site } from "../config/config.ts";
import { utcDay } from "../time.ts";
import { isSuccess } from "../state.ts";
import type { Check, LocationHistory, SiteHistory } from "./site_history.ts";
import { type HistoryFiles, overlayFiles, type Snapshot } from "./store/store.ts";
import {
  type CheckRow,
  CHECKS_FOLDER,
  dayOfLog,
  isIllegible,
  isOfLocation,
  iterateRows,
  missingRows,
  type ReadRows,
  UPPTIME,
} from "./checks_log.ts";
import { type Days, readDays } from "./daily_log.ts";
import { type Maintenance, maintenanceWindows } from "./maintenance.ts";
import { RunStarts } from "./run_starts.ts";
import { type LoadedRunState, loadStoredRunState, refreshRecords } from "./run_state.ts";
import { readParts, sortParts } from "./log_parts.ts";
import { recordPath } from "../config/record_path.ts";
import { type HistoryRecord, parseRecord } from "./record.ts";
import {
  listSlugs,
  maintenanceFiles,
  readStoredIncidents,
  siteIncidents,
  type StoredIncidents,
} from "./stored_incidents.ts";

/** The newest logs, whose checks are always read: today's and those of the eight days before. */
const RECENT_LOGS = 9;
/** Most parts of them: with thousands of sites, the checks of more don't fit into memory. */
const MOST_PARTS = 60;
/** Fewest logs: the checks of the last 24 hours, and the night before them. */
const FEWEST_LOGS = 3;

export interface ReadHistories {
  /** By slug: also of sites without any data, and of those that are no longer configured. */
  histories: Map<string, SiteHistory>;
  records: Map<string, HistoryRecord>;
  /** Every maintenance window that has a file, by id. */
  maintenance: ReadonlyMap<string, Maintenance>;
  /** Paths of logs that have lines but none that can be read. */
  illegible: readonly string[];
  stored: StoredIncidents;
  /** Slugs of the sites that nothing published may name: also of removed ones, and of those that can't be read. */
  hidden: ReadonlySet<string>;
  loadedState: LoadedRunState;
  /** Starts of the runs of the last days, in milliseconds since 1970, ascending. */
  runs: readonly number[];
}

/**
 * Reads the whole history of sites, with the rows that are not yet on the branch. Days that are rolled up
 * are read as totals; only the logs of the last days, and of days that are not rolled up, are read check by
 * check. `onProgress` gets the number of logs that are read.
 */
export async function readHistories(
  branch: Snapshot,
  sites: readonly Site[],
  onProgress: (done: number, all: number) => void = () => {},
): Promise<ReadHistories> {
  const loadedState = await loadStoredRunState(branch);
  const snapshot = overlayFiles(branch, loadedState.runState?.files);
  const configured = sites.map(({ slug }) => slug);
  const [names, { days, locationDays }, stored, records] = await Promise.all([
    snapshot.listAll(CHECKS_FOLDER),
    readDays(snapshot),
    readStoredIncidents(snapshot, loadedState.runState?.outbox),
    readRecords(snapshot, configured),
  ]);
  const logs = logsToRead(names, days);
  const { checks, ofLocations, illegible, starts } = await readChecks(
    snapshot,
    logs,
    loadedState.rows,
    onProgress,
  );
  const maintenance = maintenanceFiles(stored);
  for (const [slug, record] of refreshRecords(records, loadedState.rows)) records.set(slug, record);
  const bySlug = Map.groupBy(siteIncidents(stored), ([, { slug }]) => slug);
  const windows = maintenanceWindows([...maintenance.values()]);
  const slugs = [
    ...new Set([...configured, ...checks.keys(), ...days.keys(), ...locationDays.keys()]),
  ];
  const histories = slugs.map((slug): [string, SiteHistory] => [slug, {
    slug,
    first: records.get(slug)?.startTime.epochMilliseconds,
    checks: checks.get(slug) ?? [],
    days: days.get(slug) ?? [],
    incidents: new Map(bySlug.get(slug)),
    maintenance: windows.get(slug) ?? [],
    ...toLocationHistories(ofLocations.get(slug), locationDays.get(slug)),
  }]);
  const runs = starts.list();
  const hidden = await listHidden(snapshot, sites, stored);
  const read = { records, maintenance, illegible, stored, hidden, loadedState, runs };
  return { histories: new Map(histories), ...read };
}

async function listHidden(
  snapshot: HistoryFiles,
  sites: readonly Site[],
  { incidents }: StoredIncidents,
): Promise<Set<string>> {
  const configured = new Set(sites.map(({ slug }) => slug));
  const named = new Set([...incidents.values()].flatMap(listSlugs));
  const others = await readRecords(snapshot, [...named.difference(configured)]);
  return new Set([
    ...sites.flatMap((site) => site.public ? [] : site.slug),
    ...[...others].flatMap(([slug, record]) => record.public === false ? slug : []),
  ]);
}

type LocationChecks = Map<string, { checks: Check[]; last: CheckRow }>;

function toLocationHistories(
  checks: LocationChecks = new Map(),
  days: Days = new Map(),
): Pick<SiteHistory, "locations"> {
  const names = new Set([...checks.keys(), ...days.keys()]);
  if (names.size === 0) return {};
  return {
    locations: new Map(
      [...names].map((name): [string, LocationHistory] => [name, {
        checks: [],
        ...checks.get(name),
        days: days.get(name) ?? [],
      }]),
    ),
  };
}

/** Paths of the parts of the recent logs, and of older ones of days that no site has in the daily logs. */
function logsToRead(names: readonly string[], days: Days): string[] {
  const logs = sortParts(names).filter((name) => dayOfLog(name) !== undefined);
  const rolled = new Set<number>();
  for (const own of days.values()) for (const { from } of own) rolled.add(from);
  const dates = [...new Set(logs.map((name) => dayOfLog(name)!))];
  let recent = new Set(dates.slice(-RECENT_LOGS));
  const isMuch = () => logs.filter((name) => recent.has(dayOfLog(name)!)).length > MOST_PARTS;
  while (recent.size > FEWEST_LOGS && isMuch()) recent = new Set([...recent].slice(1));
  return logs.filter((name) =>
    recent.has(dayOfLog(name)!) || !rolled.has(Date.parse(dayOfLog(name)!))
  ).map((name) => `${CHECKS_FOLDER}/${name}`);
}

async function readChecks(
  snapshot: Snapshot,
  paths: readonly string[],
  pending: readonly CheckRow[],
  onProgress: (done: number, all: number) => void,
): Promise<{
  checks: Map<string, Check[]>;
  ofLocations: Map<string, LocationChecks>;
  illegible: string[];
  starts: RunStarts;
}> {
  const checks = new Map<string, Check[]>();
  const ofLocations = new Map<string, LocationChecks>();
  const illegible: string[] = [];
  const starts = new RunStarts();
  const waiting = Map.groupBy(pending, ({ time }) => utcDay(time));
  const add = (rows: Iterable<CheckRow>) => {
    let count = 0;
    let [moment, time]: [number, Temporal.Instant?] = [NaN];
    for (const row of rows) {
      count++;
      starts.addRow(row);
      if (isOfLocation(row)) {
        addLocationCheck(ofLocations, row);
        continue;
      }
      // The rows of a run follow each other.
      if (row.time !== time) [moment, time] = [row.time.epochMilliseconds, row.time];
      checks.getOrInsert(row.slug, []).push(toCheck(row, moment));
    }
    return count;
  };
  let [done, day]: [number, string?] = [0];
  let known: ReadRows = new Map();
  for await (const [path, text] of readParts(snapshot, paths)) {
    const own = dayOfLog(path.slice(CHECKS_FOLDER.length + 1))!;
    if (own !== day) [day, known] = [own, new Map()];
    if (add(iterateRows(text, known)) === 0 && isIllegible(text)) illegible.push(path);
    waiting.set(day, missingRows(text, waiting.get(day) ?? []));
    onProgress(++done, paths.length);
  }
  for (const rows of waiting.values()) add(rows);
  // Clocks are set back, and runs overtake each other.
  const sort = (own: Check[]) => own.sort((one, other) => one.time - other.time);
  for (const own of checks.values()) sort(own);
  for (const own of ofLocations.values()) for (const { checks } of own.values()) sort(checks);
  return { checks, ofLocations, illegible, starts };
}

function addLocationCheck(ofLocations: Map<string, LocationChecks>, row: CheckRow): void {
  const { slug, location = "" } = row;
  const known = ofLocations.getOrInsert(slug, new Map())
    .getOrInsert(location, { checks: [], last: row });
  known.checks.push(toCheck(row, row.time.epochMilliseconds));
  if (Temporal.Instant.compare(known.last.time, row.time) <= 0) known.last = row;
}

function toCheck({ state, ms, phases, location }: CheckRow, time: number): Check {
  const hasTime = isSuccess(state) && ms !== undefined && !Number.isNaN(ms);
  return {
    time,
    state,
    ms: hasTime ? ms : undefined,
    isImported: location === UPPTIME,
    timings: phases !== undefined && isSuccess(state) ? parseTimings(phases) : undefined,
  };
}

/** Parses timings such as `4/18/35/60/6`; `undefined` if the text is something else. */
function parseTimings(text: string): number[] | undefined {
  return /^\d+(?:\/\d+){4}$/.test(text) ? text.split("/").map(Number) : undefined;
}

/** Reads the records of sites by their slugs; those that can't be read are left out. */
export async function readRecords(
  snapshot: HistoryFiles,
  slugs: readonly string[],
): Promise<Map<string, HistoryRecord>> {
  const texts = await snapshot.read(slugs.map(recordPath));
  return new Map(slugs.flatMap((slug): [string, HistoryRecord][] => {
    const record = parseRecord(texts.get(recordPath(slug)) ?? "");
    return record === undefined ? [] : [[slug, record]];
  }));
}
