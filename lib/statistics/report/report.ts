import type { Site } from "../../config/config.ts";
import type { HistoryRecord } from "../../history/record.ts";
import type { PlannedWindow } from "../../history/maintenance.ts";
import type { Condition } from "../../state.ts";
import type { Evidence } from "../evidence.ts";
import type { ReportedImpacts } from "../../incidents/impact.ts";
import type { MeanPhases } from "../../history/phases.ts";
import type { SiteHistory } from "../../history/site_history.ts";
import type { Statistics } from "../statistics.ts";
import type { WindowName } from "../../history/windows.ts";
import type { ReportTime } from "./report_time.ts";

/** What is known of one site, for everything that shows it. */
export interface SiteReport {
  site: Site;
  history: SiteHistory;
  /** What the statistics are made of. */
  evidence: Evidence;
  /** The record as its last check left it; absent while nothing is known. */
  record?: HistoryRecord;
  /** Absent while nothing is known. */
  condition?: Condition;
  /** True if it is in a maintenance window, whether or not a check was made in it. */
  isInMaintenance?: boolean;
  /** True if its state is no longer known: its checks have stopped, or have no result. */
  isUnknown?: boolean;
  /** End of the time that its last result covers, in milliseconds since 1970; absent if its state is known, or never was. */
  knownUntil?: number;
  /** Why its last runs have no result, in words; absent if they have. */
  unknownReason?: string;
  /** The last check that was made of it, also in maintenance; absent while nothing is known. */
  lastCheck?: Temporal.Instant;
  statistics: Readonly<Record<WindowName, Statistics>>;
  /** Whole minutes of outages by day (`YYYY-MM-DD`, UTC), of those of the last 365 days that had some, oldest first. */
  downMinutes: ReadonlyMap<string, number>;
  /** What the successful checks of the last 7 days were busy with; absent where none tells. */
  phases?: MeanPhases;
}

/** What is known of all sites at one moment: badges, graphs, page and README all show this. */
export interface Report extends ReportTime {
  /** In the order of the configuration. */
  sites: readonly SiteReport[];
  /** Impacts of ongoing manual incidents, which raise the displayed states; absent if there are none. */
  impacts?: ReportedImpacts;
  /** Maintenance windows that go on and are ahead, by their begin; of one that comes again and again those of 90 days. */
  maintenance: readonly PlannedWindow[];
}
