import { type MonthReport, phaseOf } from "../../lib/statistics/report/month_report.ts";
import { formatTime } from "../../lib/time.ts";
import { incidentJson } from "../incident_json.ts";
import { statisticsJson } from "../statistics_json.ts";

/** What `report --json` prints; the keys are told in the README. */
export function monthJson(report: MonthReport): unknown {
  const { month, time, sites, incidents } = report;
  const moment = (at: number) => formatTime(Temporal.Instant.fromEpochMilliseconds(at));
  return {
    month: month.name,
    timezone: month.timezone,
    from: moment(month.window.from),
    to: moment(month.window.to),
    time: formatTime(time),
    over: phaseOf(report) === "over",
    sites: sites.map(({ site, statistics }) => ({
      name: site.name,
      slug: site.slug,
      group: site.group ?? null,
      ...statisticsJson(statistics),
    })),
    incidents: incidents.map(({ site, id, incident, seconds, within }) => ({
      name: site.name,
      slug: site.slug,
      ...incidentJson(id, incident),
      duration: Math.round(seconds),
      withinMonth: Math.round(within),
    })),
  };
}
