import { stringify } from "@std/csv/stringify";
import { escapeCell } from "../../lib/history/csv.ts";
import { locationWindow } from "../../lib/statistics/api/statistics_file.ts";
import { findPhase, type MonthReport } from "../../lib/statistics/report/month.ts";
import { toPercent } from "../../lib/statistics/statistics.ts";
import { plainText } from "../../lib/text/plain_text.ts";
import { formatMoment } from "../../lib/time.ts";
import { incidentJson, statisticsJson, withNulls } from "../json.ts";
import { targetPercent, zonedTime } from "../words.ts";

type Value = string | number | boolean | undefined;

/** Formats a month as CSV (RFC 4180) with a row for each site; unknown values are empty. */
export function monthCsv({ month, time, sites }: MonthReport): string {
  const { timezone, window } = month;
  const isOngoing = findPhase({ month, time }) === "so far";
  const moment = (at: number) => zonedTime(Temporal.Instant.fromEpochMilliseconds(at), timezone);
  const rows = sites.map(({ site, statistics }) => {
    const { observed, outages, uptime, coverage, objective, responseTimes } = statistics;
    const known = (value: number) => observed === 0 ? undefined : Math.round(value);
    const percent = (share?: number) => share === undefined ? undefined : toPercent(share, 4);
    const whole = (value?: number) => value === undefined ? undefined : Math.round(value);
    const { isMet, budget, left = 0 } = objective ?? {};
    return {
      site: site.name,
      slug: site.slug,
      group: site.group,
      month: month.name,
      from: moment(window.from),
      to: moment(isOngoing ? time.epochMilliseconds : window.to),
      timezone,
      uptime_percent: percent(uptime),
      coverage_percent: percent(coverage),
      observed_s: Math.round(observed),
      maintenance_s: known(statistics.maintenance),
      down_s: known(statistics.down),
      degraded_s: known(statistics.degraded),
      outages: observed === 0 && outages === 0 ? undefined : outages,
      longest_outage_s: known(statistics.longestOutage),
      checks: statistics.checks,
      mean_ms: whole(responseTimes?.mean),
      p95_ms: whole(responseTimes?.p95),
      slo_percent: objective && targetPercent(objective.target),
      slo_met: isMet,
      budget_s: whole(budget),
      budget_used_s: budget === undefined ? undefined : Math.round(budget - left),
    };
  });
  return csv(rows, SITE_COLUMNS);
}

export function monthIncidentsCsv({ month, incidents }: MonthReport): string {
  const rows = incidents.map(({ site, id, incident, seconds, within }) => ({
    site: site.name,
    slug: site.slug,
    incident: id,
    kind: incident.kind,
    start: zonedTime(incident.start, month.timezone),
    end: incident.end && zonedTime(incident.end, month.timezone),
    duration_s: Math.round(seconds),
    within_month_s: Math.round(within),
    code: incident.code,
    cause: plainText(incident.error),
    issue: incident.issue,
  }));
  return csv(rows, INCIDENT_COLUMNS);
}

export const SITE_COLUMNS = [
  ...["site", "slug", "group", "month", "from", "to", "timezone"],
  ...["uptime_percent", "coverage_percent", "observed_s", "maintenance_s", "down_s", "degraded_s"],
  ...["outages", "longest_outage_s", "checks", "mean_ms", "p95_ms"],
  ...["slo_percent", "slo_met", "budget_s", "budget_used_s"],
] as const;

export const INCIDENT_COLUMNS = [
  ...["site", "slug", "incident", "kind", "start", "end", "duration_s", "within_month_s"],
  ...["code", "cause", "issue"],
] as const;

function csv(
  rows: readonly Readonly<Record<string, Value>>[],
  columns: readonly string[],
): string {
  const cells = rows.map((row) =>
    columns.map((name) => {
      const value = row[name] ?? "";
      return typeof value === "string" ? escapeCell(value) : String(value);
    })
  );
  return stringify([columns, ...cells], { headers: false });
}

export function monthJson(report: MonthReport): unknown {
  const { month, time, sites, incidents } = report;
  return {
    month: month.name,
    timezone: month.timezone,
    from: formatMoment(month.window.from),
    to: formatMoment(month.window.to),
    time,
    over: findPhase(report) === "over",
    sites: sites.map(({ site, statistics, locations }) => ({
      name: site.name,
      slug: site.slug,
      group: site.group ?? null,
      ...statisticsJson(statistics),
      ...locations && {
        locations: locations.map(({ name, statistics }) => (
          { name, ...withNulls(locationWindow(statistics)) }
        )),
      },
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
