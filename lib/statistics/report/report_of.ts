import { computeMaxGap, type Config, type Site } from "../../config/config.ts";
import { maintenanceWindows } from "../../history/maintenance.ts";
import type { ReadHistories } from "../../history/read_histories.ts";
import { type HistoryRecord, toCondition } from "../../history/record.ts";
import { findCheck, type SiteHistory } from "../../history/site_history.ts";
import { type Window, WINDOW_NAMES, windowBack } from "../../history/windows.ts";
import { collectImpacts } from "../../incidents/impact.ts";
import { CALENDAR, configuredWindows, listWindows } from "../../incidents/maintenance/windows.ts";
import { measure } from "../measure.ts";
import { meanTimings } from "../response_times.ts";
import { computeRunGaps } from "../run_gaps.ts";
import { type Samples, selectSamples } from "../samples.ts";
import { coverageOfCheck } from "../timeline.ts";
import { downMinutes } from "./bars.ts";
import { reportLocations } from "./location_reports.ts";
import type { Report, SiteReport } from "./report.ts";
import { coverageOfRecord, isLost, reportTime } from "./report_time.ts";

/** State of a job that has never reported an end. */
const PENDING = "no beat has come yet";

/** Computes the report of a configuration's sites, as of {@linkcode reportTime}. */
export function computeReport(
  config: Config,
  read:
    & Pick<ReadHistories, "histories" | "records" | "maintenance" | "loadedState" | "runs">
    & Partial<Pick<ReadHistories, "stored">>,
  clock: Temporal.Instant,
): Report {
  const { histories, records, maintenance, loadedState } = read;
  const maxGap = computeMaxGap(config);
  const moment = reportTime(read, clock, maxGap);
  const { time, isOutdated } = moment;
  const now = time.epochMilliseconds;
  const configured = configuredWindows(config.maintenance, time, CALENDAR);
  // A window is ongoing if its file says so, whatever a run will make of it.
  const plans = { configured, isPartial: true, timezone: config.timezone };
  const windows = maintenanceWindows([...maintenance.values()], ["down", "degraded"]);
  const sites = config.sites.map((site): SiteReport => {
    const history = histories.get(site.slug)!;
    const record = records.get(site.slug);
    const samples = selectSamples(history, { maxGap, now });
    const inMaintenance = isInMaintenance(history, {
      windows: windows.get(site.slug),
      maxGap,
      now,
    });
    const freshness = computeFreshness(history, { record, maxGap, now });
    const { coveredUntil } = freshness;
    const { unknown, heartbeat } = loadedState.runState?.sites[site.slug] ?? {};
    const isPending = heartbeat !== undefined && heartbeat.end === undefined;
    const isUnknown = isOutdated || (!inMaintenance && isLost(freshness, now));
    return {
      site,
      history,
      samples,
      record,
      condition: record && toCondition(record),
      isInMaintenance: inMaintenance,
      isUnknown,
      ...isUnknown && coveredUntil !== -Infinity
        ? { knownUntil: samples.intervals.at(-1)?.to ?? Math.min(coveredUntil, now) }
        : {},
      unknownReason: unknown?.reason ?? (isPending ? PENDING : undefined),
      lastBeat: heartbeat?.end?.at,
      lastCheck: findLastCheck(history, record, now),
      statistics: computeStatistics(samples, site),
      downMinutes: downMinutes(samples),
      timings: meanTimings(samples.checks, windowBack("week", now, now)),
      locations: reportLocations(site, history, { maxGap, now, first: samples.first }),
    };
  });
  const impacts = collectImpacts(read.stored?.incidents.values() ?? [], time, config.sites);
  const schedule = config.workflowSchedule.uptime;
  const runs = computeRunGaps(read.runs, { schedule, now });
  const { groups } = config;
  return {
    ...moment,
    sites,
    groups,
    impacts,
    runs,
    maintenance: listWindows(maintenance, plans, time),
  };
}

/** True if a window in which the site may be down is open, or the last check's maintenance is not over. */
function isInMaintenance(
  { checks, maintenance }: SiteHistory,
  { windows = [], maxGap, now }: { windows?: readonly Window[]; maxGap: number; now: number },
): boolean {
  const contains = (moment: number) => ({ from, to }: Window) => from <= moment && moment < to;
  if (maintenance.some(contains(now))) return true;
  const last = checks[findCheck(checks, now + 1) - 1];
  if (last?.state !== "maintenance") return false;
  const own = windows.filter(contains(last.time));
  return own.length === 0 ? now < last.time + maxGap : own.some(contains(now));
}

/** Counts the last runs without a result, and computes the end of the time that the last result covers. */
function computeFreshness(
  { checks }: SiteHistory,
  { record, maxGap, now }: { record?: HistoryRecord; maxGap: number; now: number },
): { unknownRuns: number; coveredUntil: number } {
  const recorded = record?.lastUpdated.epochMilliseconds ?? -Infinity;
  const end = findCheck(checks, now + 1);
  let index = end - 1;
  while (index >= 0 && checks[index]!.state === "unknown" && checks[index]!.time > recorded) {
    index--;
  }
  const last = checks[index];
  return {
    unknownRuns: end - 1 - index,
    coveredUntil: Math.max(
      record === undefined ? -Infinity : coverageOfRecord(record, maxGap),
      last === undefined || last.state === "unknown" ? -Infinity : coverageOfCheck(last, maxGap),
    ),
  };
}

/** The last check that had a result. Checks in maintenance are in no record, so the log alone has them. */
function findLastCheck(
  { checks }: SiteHistory,
  record: HistoryRecord | undefined,
  now: number,
): Temporal.Instant | undefined {
  const logged = checks.findLast(({ time, state }) => time <= now && state !== "unknown")?.time;
  const recorded = record?.lastUpdated;
  if (logged === undefined || (recorded && logged <= recorded.epochMilliseconds)) return recorded;
  return Temporal.Instant.fromEpochMilliseconds(logged);
}

function computeStatistics(samples: Samples, site: Site): SiteReport["statistics"] {
  const { now, first = now } = samples;
  const all = WINDOW_NAMES.map((name) => {
    const { apdex, ...others } = measure(samples, windowBack(name, now, first), site);
    // The length of a job satisfies nobody.
    return [name, site.check === "heartbeat" ? others : { ...others, apdex }];
  });
  return Object.fromEntries(all);
}
