import { type Group, listCounted } from "../../config/groups.ts";
import type { Site } from "../../config/config.ts";
import type { PlannedWindow } from "../../history/maintenance.ts";
import type { ReportedImpacts } from "../../incidents/impact.ts";
import type { HistoryRecord } from "../../history/record.ts";
import type { SiteHistory } from "../../history/site_history.ts";
import type { WindowName } from "../../history/windows.ts";
import type { Condition, State } from "../../state.ts";
import type { MeanTimings } from "../response_times.ts";
import type { RunGaps } from "../run_gaps.ts";
import type { Samples } from "../samples.ts";
import type { Statistics } from "../statistics.ts";
import type { LocationReport } from "./location_reports.ts";

export interface SiteReport {
  site: Site;
  history: SiteHistory;
  samples: Samples;
  /** The record as its last check left it; absent while nothing is known. */
  record?: HistoryRecord;
  condition?: Condition;
  /** True if it is in a maintenance window, whether or not a check was made in it. */
  isInMaintenance?: boolean;
  /** True if its state is no longer known: its checks have stopped, or have no result. */
  isUnknown?: boolean;
  /** End of the time that its last result covers, in milliseconds since 1970; absent if its state is known, or never was. */
  knownUntil?: number;
  /** Reason why its last runs have no result; absent if they have. */
  unknownReason?: string;
  /** The last check of it, also in maintenance; absent while nothing is known. */
  lastCheck?: Temporal.Instant;
  /** The last end that the site's job has reported. */
  lastBeat?: Temporal.Instant;
  statistics: Readonly<Record<WindowName, Statistics>>;
  /** Whole minutes of outages by day (`YYYY-MM-DD`, UTC), of those of the last 365 days that had some, oldest first. */
  downMinutes: ReadonlyMap<string, number>;
  /** Mean timings of the last 7 days; absent if none are known. */
  timings?: MeanTimings;
  /** In the order of the configuration; absent if fewer than two check it. */
  locations?: readonly LocationReport[];
}

export interface ReportTime {
  time: Temporal.Instant;
  /** The last check of any site until now; absent if there was none. */
  lastCheck?: Temporal.Instant;
  /** True if no check of any site covers the present, so that no state is known any more. */
  isOutdated: boolean;
}

/** Everything that is known of all sites at one moment: badges, graphs, page and README all show this. */
export interface Report extends ReportTime {
  /** In the order of the configuration. */
  sites: readonly SiteReport[];
  /** The groups of its sites, in the order in which they are shown. */
  groups: readonly Group[];
  /** Impacts of ongoing manual incidents, which raise the displayed states; absent if there are none. */
  impacts?: ReportedImpacts;
  /** Gaps between the runs of the last week. */
  runs: RunGaps;
  /** Ongoing and planned maintenance windows, by their start; those that repeat for 90 days. */
  maintenance: readonly PlannedWindow[];
}

/** Selects the reports of the sites that overall figures are of. */
export function selectCounted(reports: readonly SiteReport[]): readonly SiteReport[] {
  const counted = new Set(listCounted(reports.map(({ site }) => site)));
  return reports.filter(({ site }) => counted.has(site));
}

/** The mean uptime of the sites in a window, from 0 to 1; absent if none was observed. */
export function computeMeanUptime(sites: Report["sites"], window: WindowName): number | undefined {
  const known = sites.map(({ statistics }) => statistics[window].uptime)
    .filter((uptime) => uptime !== undefined);
  return known.length === 0
    ? undefined
    : known.reduce((sum, uptime) => sum + uptime, 0) / known.length;
}

/** The displayed state everywhere; `unknown` if it is no longer known, even during an open incident. */
export function displayState(
  { condition, isInMaintenance, isUnknown }: Pick<
    SiteReport,
    "condition" | "isInMaintenance" | "isUnknown"
  >,
): State {
  if (isUnknown) return "unknown";
  return isInMaintenance ? "maintenance" : condition ?? "unknown";
}

/** The condition that a site is known to be in, also in maintenance; `undefined` if that is not known. */
export function currentCondition({ condition, isUnknown }: SiteReport): Condition | undefined {
  return isUnknown ? undefined : condition;
}
