import type { Config, Site } from "../../config/config.ts";
import type { ReadHistories } from "../../history/read_histories.ts";
import { conditionOf, type HistoryRecord } from "../../history/record.ts";
import { STATES } from "../../state.ts";
import type { SiteHistory } from "../../history/site_history.ts";
import { type Evidence, evidenceOf } from "../evidence.ts";
import { CALENDAR, configuredWindows, windowsAt } from "../../incidents/maintenance/windows.ts";
import { firstAtOrAfter } from "../../history/first_at_or_after.ts";
import { maintenanceWindows } from "../../history/maintenance_windows.ts";
import { IMPORTED_GAP } from "../timeline.ts";
import { measure } from "../measure.ts";
import { meanPhases } from "../../history/phases.ts";
import { type Window, WINDOW_NAMES, windowBack } from "../../history/windows.ts";
import { downMinutes } from "./down_minutes.ts";
import { coverageOfRecord, type Freshness, isLost } from "./display_state.ts";
import { maxGapOf } from "../../config/max_gap.ts";
import { reportedImpacts } from "../../incidents/impact.ts";
import type { Report, SiteReport } from "./report.ts";
import { reportTime } from "./report_time.ts";

/** Computes the report of a configuration's sites, as of {@linkcode reportTime}. */
export function reportOf(
  config: Config,
  read:
    & Pick<ReadHistories, "histories" | "records" | "maintenance" | "recalled">
    & Partial<Pick<ReadHistories, "stored">>,
  clock: Temporal.Instant,
): Report {
  const { histories, records, maintenance, recalled } = read;
  const maxGap = maxGapOf(config);
  const moment = reportTime(read, clock, maxGap);
  const { time, isOutdated } = moment;
  const now = time.epochMilliseconds;
  const configured = configuredWindows(config.maintenance, time, CALENDAR);
  // What files say goes on does, whatever a run will make of it.
  const plans = { configured, isPartial: true, timezone: config.timezone };
  const windows = maintenanceWindows([...maintenance.values()], ["down", "degraded"]);
  const sites = config.sites.map((site): SiteReport => {
    const history = histories.get(site.slug)!;
    const record = records.get(site.slug);
    const evidence = evidenceOf(history, { maxGap, now });
    const inMaintenance = isInMaintenance(history, {
      windows: windows.get(site.slug),
      maxGap,
      now,
    });
    const sighting = sightingOf(history, { record, maxGap, now });
    const isUnknown = isOutdated || (!inMaintenance && isLost(sighting, now));
    return {
      site,
      history,
      evidence,
      record,
      condition: record && conditionOf(record),
      isInMaintenance: inMaintenance,
      isUnknown,
      ...isUnknown && sighting.coveredUntil !== -Infinity
        ? { knownUntil: evidence.spans.at(-1)?.to ?? Math.min(sighting.coveredUntil, now) }
        : {},
      unknownReason: recalled.memory?.sites[site.slug]?.unknown?.reason,
      lastCheck: lastCheckOf(history, record, now),
      statistics: statisticsOf(evidence, site),
      downMinutes: downMinutes(evidence),
      phases: history.phases &&
        meanPhases(history.phases, windowBack("week", now, now), history.maintenance),
    };
  });
  const impacts = reportedImpacts(read.stored?.incidents.values() ?? [], time);
  return { ...moment, sites, impacts, maintenance: windowsAt(maintenance, plans, time) };
}

const UNKNOWN = STATES.indexOf("unknown");

/**
 * True if a window in which the site may be down is open, or if the last check was made in a window that is
 * still open. A check in maintenance that belongs to no file speaks for itself.
 */
function isInMaintenance(
  { checks: { times, states }, maintenance }: SiteHistory,
  { windows = [], maxGap, now }: { windows?: readonly Window[]; maxGap: number; now: number },
): boolean {
  const holds = (moment: number) => ({ from, to }: Window) => from <= moment && moment < to;
  if (maintenance.some(holds(now))) return true;
  const index = firstAtOrAfter(times, now + 1) - 1;
  if (STATES[states[index] ?? -1] !== "maintenance") return false;
  const own = windows.filter(holds(times[index]!));
  return own.length === 0 ? now < times[index]! + maxGap : own.some(holds(now));
}

/** The last result of a site: in its log, or in its record if the log is gone. */
function sightingOf(
  { checks: { times, states, imported } }: SiteHistory,
  { record, maxGap, now }: { record?: HistoryRecord; maxGap: number; now: number },
): Freshness {
  const recorded = record?.lastUpdated.epochMilliseconds ?? -Infinity;
  const end = firstAtOrAfter(times, now + 1);
  let last = end - 1;
  while (last >= 0 && states[last] === UNKNOWN && times[last]! > recorded) last--;
  const isResult = last >= 0 && states[last] !== UNKNOWN;
  const reach = imported[last] === 1 ? Math.max(maxGap, IMPORTED_GAP) : maxGap;
  return {
    unknownRuns: end - 1 - last,
    coveredUntil: Math.max(
      record === undefined ? -Infinity : coverageOfRecord(record, maxGap),
      isResult ? times[last]! + reach : -Infinity,
    ),
  };
}

/** The last check that saw the site. Checks in maintenance are in no record, so the log has them alone. */
function lastCheckOf(
  { checks: { times, states } }: SiteHistory,
  record: HistoryRecord | undefined,
  now: number,
): Temporal.Instant | undefined {
  let index = firstAtOrAfter(times, now + 1) - 1;
  while (index >= 0 && states[index] === UNKNOWN) index--;
  const logged = times[index];
  const recorded = record?.lastUpdated;
  if (logged === undefined || (recorded && logged <= recorded.epochMilliseconds)) return recorded;
  return Temporal.Instant.fromEpochMilliseconds(logged);
}

function statisticsOf(evidence: Evidence, site: Site): SiteReport["statistics"] {
  const { now, first = now } = evidence;
  const all = WINDOW_NAMES.map((name) => [
    name,
    measure(evidence, windowBack(name, now, first), site),
  ]);
  return Object.fromEntries(all);
}
