import type { DayTotals } from "../history/daily_log.ts";
import type { Incident } from "../history/incident.ts";
import { parseSummary } from "../statistics/summary.ts";
import { DAY, formatDate } from "../time.ts";
import type { IdentifiedSites, ImportedSite } from "./identify_sites.ts";
import type { TextVersion } from "./read_versions.ts";

/** Minutes of downtime by day (`YYYY-MM-DD`). */
export type DownMinutes = ReadonlyMap<string, number>;

/** Slug whose issues are those of all sites, as each has the label of that name. */
const EVERY_SITE = "status";

/**
 * Reads the minutes of downtime that Upptime's summaries tell of each day, the oldest summary first: the newest counts.
 * Sites that share a slug are left out, because Upptime gives all of them the sum.
 */
export function readDownMinutes(
  summaries: readonly TextVersion[],
  { siteOf }: IdentifiedSites,
): Map<ImportedSite, DownMinutes> {
  const minutes = new Map<ImportedSite, Map<string, number>>();
  for (const { committed, text } of summaries) {
    const shared = findShared(text);
    for (const [file, { site: { url }, statistics }] of parseSummary(text)) {
      if (file === EVERY_SITE || shared.has(file)) continue;
      const site = siteOf({ file, committed, isInRoot: false, check: { url } });
      if (site === "template") continue;
      const known = minutes.getOrInsert(site, new Map());
      for (const [day, down] of Object.entries(statistics.dailyMinutesDown)) known.set(day, down);
    }
  }
  return minutes;
}

function findShared(summary: string): Set<string> {
  const slugs = [...summary.matchAll(/"slug"\s*:\s*"([^"]*)"/g)].map(([, slug]) => slug!);
  return new Set(slugs.filter((slug, index) => slugs.indexOf(slug) !== index));
}

/**
 * Adds downtime that no check saw to days on which the site was otherwise up: an outage of which the checks are lost. A
 * summary counts an issue that nobody closed as downtime for days, so it counts only for a day by itself.
 */
export function addUnseenDowntime(
  days: readonly DayTotals[],
  minutes: DownMinutes,
  incidents: readonly Incident[],
): DayTotals[] {
  return days.map((day) => {
    const [before, down, after] = [-DAY, 0, DAY].map((shift) =>
      minutes.get(formatDate(day.from + shift)) ?? 0
    );
    const seconds = Math.round(60 * down!);
    const isSeen = day.downTime + day.degradedTime + day.maintenanceTime > 0 ||
      incidents.some(({ start, end = start }) =>
        start.epochMilliseconds < day.from + DAY && end.epochMilliseconds >= day.from
      );
    const counts = seconds > 0 && before === 0 && after === 0 && !isSeen && day.up > 0;
    return counts && seconds < day.observedTime ? { ...day, downTime: seconds } : day;
  });
}
