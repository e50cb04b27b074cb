import type { Site } from "../config/config.ts";
import type { KnownMaintenance } from "../incidents/maintenance/plan_maintenance.ts";
import type { Capabilities, Snapshot } from "../history/store/store.ts";
import type { Streak } from "../evaluation/results.ts";
import { utcDay } from "../time.ts";
import { type CheckRow, checksPath, hasRun } from "../history/checks_log.ts";
import { expiredLogs, firstKept, keptRows } from "../history/expired_logs.ts";
import {
  conditionOf,
  HISTORY_FOLDER,
  type HistoryRecord,
  isOurs,
  parseRecord,
  recordedSlugs,
  recordPath,
  slugOfRecord,
  withPublicUrl,
} from "../history/record.ts";
import { isUpptimeRecord, isUpptimeSummary } from "../history/upptime_history.ts";
import { withRefused } from "../history/with_refused.ts";
import { SUMMARY_PATH } from "../statistics/summary.ts";
import { type KnownIncidents, knownIncidents } from "./known_incidents.ts";
import { knownMaintenance } from "./known_maintenance.ts";
import { type DuplicateIncident, findLostRecords, findWrongRecords } from "./lost_records.ts";
import { recall, type Recalled } from "./recall.ts";

/** What is known of the sites before a run decides. */
export interface HistoryState extends KnownIncidents, KnownMaintenance {
  /** Tells the state it was read from from others; absent where that may change meanwhile. */
  version?: string;
  capabilities: Capabilities;
  /** Records by slug, as fresh as the checks that wait make them. */
  records: ReadonlyMap<string, HistoryRecord>;
  /** Sites whose file is older than their record. */
  stale: ReadonlySet<string>;
  /**
   * Records of sites that are no longer configured and whose incident is still open, by slug; none
   * where the configuration does not tell all sites.
   */
  gone: ReadonlyMap<string, HistoryRecord>;
  /** Incidents by the slug of their site whose record was lost; they are continued. */
  recovered?: ReadonlyMap<string, string>;
  /** Open incidents of these sites besides, which end. */
  duplicates?: readonly DuplicateIncident[];
  /** Records on the branch that contain credentials, without them, by path. */
  exposed: ReadonlyMap<string, string>;
  /** What is remembered of the sites, by slug. */
  streaks: ReadonlyMap<string, Streak>;
  /** Slugs of all configured sites; absent where the configuration does not tell all. */
  configured?: ReadonlySet<string>;
  /** Sites that the summary tells of: all that are known to be configured, in their order. */
  sites: readonly Site[];
  /** Text of the summary on the branch; absent where there is none. */
  summary?: string;
  /** What runs before remember, and the checks that the branch may lack. */
  recalled: Recalled;
  /** Texts of the logs that rows go into, by path. */
  logs: ReadonlyMap<string, string>;
  /** Logs that are no longer needed. */
  expired: readonly string[];
  /**
   * The last commit of a run, where nothing is remembered of the runs after it: somebody has deleted the
   * ref. Absent where nothing is lost.
   */
  lostSince?: Temporal.Instant;
  /**
   * The time of the last commit of checks, if the branch no longer holds those checks: somebody has
   * rewritten it, for instance with a force push. Absent if nothing is missing.
   */
  removedAt?: Temporal.Instant;
  /** Files of maintenance that can't be read, for people; they are left as they are. */
  damagedMaintenance: readonly string[];
  /** Files that can't be read, for people; they are written anew. */
  unreadable: string[];
}

/** What has to be known of the configuration, and of the run. */
export interface Scope {
  /** The sites that are looked at. */
  sites: readonly Site[];
  /**
   * All sites of the configuration, also those that are not looked at: a site with a record that is not
   * among them is gone. Absent where the configuration does not tell all.
   */
  configured?: readonly Site[];
  /** Start of the run. */
  time: Temporal.Instant;
  /** Days that checks are kept for. */
  keepDays: number;
}

/** Reads what a run has to know of its sites. */
export async function loadState(
  branch: Snapshot,
  { sites, configured, time, keepDays }: Scope,
): Promise<HistoryState> {
  const all = await recall(branch);
  const snapshot = withRefused(branch, all.memory?.files);
  const recalled = { ...all, rows: await keptRows(snapshot, all.rows, time, keepDays) };
  const { folded } = recalled.memory ?? {};
  const written = [time, ...recalled.rows.map((row) => row.time), ...folded ? [folded.time] : []];
  const logs = new Set(written.map(checksPath));
  const slugs = sites.map(({ slug }) => slug);
  const [files, others, expired] = await Promise.all([
    snapshot.read([...slugs.map(recordPath), ...logs, SUMMARY_PATH]),
    otherRecords(snapshot, slugs),
    expiredLogs(snapshot, time, keepDays),
  ]);
  const gone = configured === undefined
    ? new Map<string, HistoryRecord>()
    : goneSites(others, configured);
  const unreadable = [...recalled.unreadable];
  const records = new Map<string, HistoryRecord>();
  const unrecorded: Site[] = [];
  for (const site of sites) {
    const { slug } = site;
    const text = files.get(recordPath(slug));
    if (text !== undefined && isUpptimeRecord(text)) continue;
    const record = text === undefined ? undefined : parseRecord(text);
    if (record === undefined) unrecorded.push(site);
    else records.set(slug, record);
    if (record === undefined && text !== undefined) unreadable.push(recordPath(slug));
  }
  const streaks = recalled.memory?.sites ?? {};
  const wrong = await findWrongRecords(snapshot, { sites, records, streaks });
  const { records: lost, duplicates } = await findLostRecords(snapshot, [...unrecorded, ...wrong]);
  for (const [slug, record] of lost) records.set(slug, record);
  const fresh = freshen(records, recalled.rows);
  const { unreadable: damaged, ...incidents } = await knownIncidents(snapshot, {
    records,
    sites,
    gone,
    memory: recalled.memory,
    time,
  });
  unreadable.push(...damaged);
  const { maintenance, damaged: damagedMaintenance } = await knownMaintenance(
    snapshot,
    incidents.incidentIds,
    time,
  );
  return {
    version: snapshot.version,
    capabilities: snapshot.capabilities,
    records: new Map([...records, ...fresh]),
    stale: new Set([...fresh.keys(), ...lost.keys()]),
    recovered: new Map([...lost].map(([slug, { incident }]) => [slug, incident!])),
    duplicates,
    ...incidents,
    maintenance,
    damagedMaintenance,
    gone,
    exposed: exposedRecords(new Map([...files, ...others]), [
      ...slugs.map(recordPath),
      ...others.keys(),
    ]),
    streaks: new Map(Object.entries(recalled.memory?.sites ?? {})),
    configured: configured && new Set(configured.map(({ slug }) => slug)),
    sites: configured ?? sites,
    summary: isUpptimeSummary(files.get(SUMMARY_PATH) ?? "") ? undefined : files.get(SUMMARY_PATH),
    recalled,
    logs: new Map([...logs].flatMap((path) => files.has(path) ? [[path, files.get(path)!]] : [])),
    expired,
    lostSince: recalled.memory === undefined && recalled.isRefMissing
      ? lastRun(records)
      : undefined,
    removedAt: isRemoved(recalled, files, firstKept(time, keepDays)) ? folded?.time : undefined,
    unreadable,
  };
}

/** True if the branch lacks the checks of the last commit to it, and they neither wait nor have expired. */
function isRemoved(
  { memory, rows, isBeside }: Recalled,
  files: ReadonlyMap<string, string>,
  firstDay: string,
): boolean {
  const { folded } = memory ?? {};
  if (!isBeside || folded?.rows === undefined || folded.rows === 0) return false;
  if (utcDay(folded.time) < firstDay) return false;
  return !rows.some(({ run }) => run === folded.run) &&
    !hasRun(files.get(checksPath(folded.time)), folded.run);
}

/** When a run of this program last wrote a record. */
function lastRun(records: ReadonlyMap<string, HistoryRecord>): Temporal.Instant | undefined {
  return [...records.values()].filter(({ generator }) => isOurs(generator))
    .map(({ lastUpdated }) => lastUpdated).sort(Temporal.Instant.compare).at(-1);
}

/** The records that checks which wait are newer than, with what those found. */
export function freshen(
  records: ReadonlyMap<string, HistoryRecord>,
  rows: readonly CheckRow[],
): Map<string, HistoryRecord> {
  const fresh = new Map<string, HistoryRecord>();
  for (const { slug, time, state, code, ms = 0 } of rows) {
    const record = fresh.get(slug) ?? records.get(slug);
    if (record === undefined || conditionOf(record) !== state) continue;
    if (Temporal.Instant.compare(record.lastUpdated, time) >= 0) continue;
    fresh.set(slug, { ...record, code, responseTime: ms, lastUpdated: time });
  }
  return fresh;
}

/** Texts of the records of sites that are not checked, by path. */
async function otherRecords(
  snapshot: Snapshot,
  slugs: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const checked = new Set(slugs);
  const others = recordedSlugs(await snapshot.list(HISTORY_FOLDER)).filter((slug) =>
    !checked.has(slug)
  );
  return await snapshot.read(others.map(recordPath));
}

function goneSites(
  records: ReadonlyMap<string, string>,
  sites: readonly Site[],
): Map<string, HistoryRecord> {
  const configured = new Set(sites.map(({ slug }) => recordPath(slug)));
  const gone = new Map<string, HistoryRecord>();
  for (const [path, text] of records) {
    const record = configured.has(path) ? undefined : parseRecord(text);
    if (record?.incident !== undefined) gone.set(slugOfRecord(path), record);
  }
  return gone;
}

/** Our records at these paths whose address contains credentials, with the public URL in its place. */
function exposedRecords(
  files: ReadonlyMap<string, string>,
  paths: readonly string[],
): Map<string, string> {
  return new Map(paths.flatMap((path): [string, string][] => {
    const text = files.get(path);
    const cleaned = text === undefined ? undefined : withPublicUrl(text);
    return cleaned === undefined || isUpptimeRecord(cleaned) ? [] : [[path, cleaned]];
  }));
}
