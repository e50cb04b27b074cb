import type { Site } from "../config/config.ts";
import type { Incident } from "../history/incident.ts";
import { episodesOf, secondsWithin } from "./episodes.ts";
import type { Month } from "./month.ts";
import type { SiteHistory } from "./site_history.ts";
import type { Statistics } from "./statistics.ts";

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

/** The incidents of a site that fall into a month, maintenance aside. */
export function incidentsOfMonth(
  site: Site,
  { incidents }: Pick<SiteHistory, "incidents">,
  { window }: Month,
  now: number,
): MonthIncident[] {
  return [...incidents].flatMap(([id, incident]): MonthIncident[] => {
    const episodes = episodesOf(incident, now);
    const meets = episodes.some(({ from, to }) =>
      from < window.to && (to > window.from || from >= window.from)
    );
    if (!meets || incident.kind === "maintenance") return [];
    const seconds = secondsWithin(episodes, { from: -Infinity, to: Infinity });
    return [{ site, id, incident, seconds, within: secondsWithin(episodes, window) }];
  });
}

/** Whether a month had not begun yet, was going on or was over when a report of it was made. */
export function progressOf(
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
