import type { Site } from "../../config/config.ts";
import type { Incident } from "../../history/incident.ts";
import { openTimes, secondsOpen } from "../down_pieces.ts";
import { measure } from "../measure.ts";
import type { Statistics } from "../statistics.ts";
import type { Month } from "./month.ts";
import type { Report, SiteReport } from "./report.ts";

/** An incident that falls into a month, also in part. */
export interface MonthIncident {
  site: Site;
  /** The name it is kept under. */
  id: string;
  incident: Incident;
  /** Seconds that it went on, all of it so far. */
  seconds: number;
  /** Seconds of that which lie in the month. */
  within: number;
}

/** What is known of all sites in a month: what people hand in. */
export interface MonthReport {
  month: Month;
  /** When it was made. */
  time: Temporal.Instant;
  /** In the order of the configuration; up to now where the month is not over. */
  sites: readonly { site: Site; statistics: Statistics }[];
  /** By their start. */
  incidents: readonly MonthIncident[];
}

/** What there is to report of a month. */
export function monthReportOf({ sites, time }: Report, month: Month): MonthReport {
  return {
    month,
    time,
    sites: sites.map(({ site, evidence }) => ({
      site,
      statistics: measure(evidence, month.window, site),
    })),
    incidents: sites.flatMap((one) => incidentsOf(one, month, time.epochMilliseconds))
      .sort((one, other) => Temporal.Instant.compare(one.incident.start, other.incident.start)),
  };
}

function incidentsOf(
  { site, history, knownUntil }: SiteReport,
  { window }: Month,
  time: number,
): MonthIncident[] {
  return [...history.incidents].flatMap(([id, incident]): MonthIncident[] => {
    const now = incident.end === undefined ? knownUntil ?? time : time;
    const end = Math.min(window.to, now);
    // One that was over at once falls into its month too.
    const meets = openTimes(incident).some(({ from, to }) =>
      from < end && (Math.min(to, now) > window.from || from >= window.from)
    );
    if (!meets) return [];
    const seconds = secondsOpen(incident, { from: -Infinity, to: now });
    const within = secondsOpen(incident, { from: window.from, to: end });
    return [{ site, id, incident, seconds, within }];
  });
}

/** Whether a month had not begun yet, was going on or was over when a report of it was made. */
export function phaseOf(
  { month: { window }, time }: Pick<MonthReport, "month" | "time">,
): "future" | "so far" | "over" {
  const now = time.epochMilliseconds;
  if (now < window.from) return "future";
  return now < window.to ? "so far" : "over";
}

/** Whether anything at all is known of the month. */
export function isAnythingKnown({ sites, incidents }: MonthReport): boolean {
  return incidents.length > 0 || sites.some(({ statistics }) => statistics.observed > 0);
}
