import { shownAddress } from "../../lib/config/config.ts";
import { findResponseTime } from "../../lib/history/record.ts";
import type { Mute } from "../../lib/history/run_state_schema.ts";
import { FILE_WINDOW_NAMES, WINDOW_NAMES, windowBack, WINDOWS } from "../../lib/history/windows.ts";
import { computeBuckets } from "../../lib/statistics/buckets.ts";
import { displayState, type Report, type SiteReport } from "../../lib/statistics/report/report.ts";
import type { Statistics } from "../../lib/statistics/statistics.ts";
import { fit } from "../../lib/text/columns.ts";
import { paint } from "../../lib/text/paint.ts";
import { plainText } from "../../lib/text/plain_text.ts";
import { formatMoment, isBefore } from "../../lib/time.ts";
import { incidentJson, statisticsJson, withNulls } from "../json.ts";
import {
  describeAddress,
  formatBudget,
  formatCoverage,
  formatMilliseconds,
  formatMinute,
  formatShare,
  formatTarget,
  longDuration,
  shortDuration,
} from "../words.ts";
import { acknowledgementJson, formatAcknowledger } from "./acknowledgements.ts";
import { incidentLines } from "./incidents.ts";
import { alignCells, GAP, joinParts, LONGEST_NAME, stateMark } from "./lines.ts";
import { windowJson } from "./maintenance.ts";
import { isChecked, presentState, sparkline } from "./status.ts";
import { locationWindow } from "../../lib/statistics/api/statistics_file.ts";
import {
  type LocationReport,
  sortWorstFirst,
} from "../../lib/statistics/report/location_reports.ts";

const MOST_INCIDENTS = 20;
/** Pieces of the sparkline of the last day. */
const PIECES = 48;

export function siteStatus(report: SiteReport, now: Temporal.Instant, columns: number): string {
  const { site, record, samples, lastCheck, lastBeat, statistics, history, knownUntil } = report;
  const title = fit([site.name, site.check, describeAddress(site) ?? []].flat().join(GAP), columns);
  if (record === undefined) return joinParts(title, fullState(report, now));
  const first = samples.first === undefined
    ? ""
    : `, first ${formatMinute(Temporal.Instant.fromEpochMilliseconds(samples.first))}`;
  const beat = lastBeat === undefined ? [] : [`Last heartbeat ${formatMinute(lastBeat)}.`];
  const { certificate } = record;
  const expiry = certificate === undefined ? [] : [
    `Certificate ${isBefore(certificate, now) ? "expired" : "valid until"} ${
      formatMinute(certificate)
    }.`,
  ];
  const day = computeBuckets(samples, windowBack("day", now.epochMilliseconds, 0), PIECES);
  const incidents = [...history.incidents].reverse()
    .sort(([, one], [, other]) => Temporal.Instant.compare(other.start, one.start));
  const rest = incidents.length - MOST_INCIDENTS;
  const lines = incidentLines(incidents.slice(0, MOST_INCIDENTS), { now, columns, knownUntil });
  return joinParts(
    title,
    fullState(report, now),
    [`Last checked ${formatMinute(lastCheck ?? record.lastUpdated)}${first}.`, ...beat, ...expiry]
      .join(
        "\n",
      ),
    statisticsTable(statistics),
    day.every(({ state }) => state === "unknown")
      ? ""
      : `${paint.dim("last 24 hours")}\n${sparkline(day).trimEnd()}`,
    report.locations === undefined ? "" : locationLines(report.locations, columns),
    lines.length === 0
      ? "No incidents."
      : [paint.dim("incidents"), ...lines, ...rest > 0 ? [`and ${rest} before`] : []].join("\n"),
  );
}

/** `down for 2 hours 5 minutes, since …`, or why the state is unknown. */
function fullState(report: SiteReport, now: Temporal.Instant): string {
  const { record, unknownReason = "no current data" } = report;
  const { mark, word, seconds } = presentState(report, now);
  const length = seconds === undefined ? "" : longDuration(Math.max(1, seconds));
  if (word !== "unknown") {
    if (seconds === undefined || record === undefined) return `${mark} ${word}`;
    const open = report.history.incidents.get(record.incident ?? "");
    const by = open === undefined ? "" : formatAcknowledger(open, now);
    const acknowledged = by === "" ? "" : `, ${by}`;
    return `${mark} ${word} for ${length}, since ${formatMinute(record.since)}${acknowledged}`;
  }
  const checked = length === "" ? "" : `, last checked ${length} ago`;
  const open = record?.incident === undefined ? "" : "; its incident is still open";
  return `${mark} unknown${checked}: ${plainText(unknownReason)}${open}`;
}

/** Rows of the table; a row is omitted if it is empty for all windows. */
const ROWS: Readonly<Record<string, (one: Statistics) => string>> = {
  "uptime": ({ uptime }) => formatShare(uptime, "no data"),
  "coverage": ({ coverage }) => coverage === undefined ? "" : formatCoverage(coverage),
  "down": ({ down, observed }) => observed === 0 ? "" : seconds(down, "0"),
  "degraded": ({ degraded }) => seconds(degraded),
  "maintenance": ({ maintenance }) => seconds(maintenance),
  "outages": ({ outages, observed }) => observed + outages === 0 ? "" : String(outages),
  "incidents": ({ incidents, observed }) => observed + incidents === 0 ? "" : String(incidents),
  "longest outage": ({ longestOutage }) => seconds(longestOutage),
  "MTTR": ({ mttr }) => seconds(mttr),
  "MTBF": ({ mtbf }) => seconds(mtbf),
  "checks": ({ checks }) => Math.round(checks).toLocaleString("en"),
  "mean response": ({ responseTimes }) => formatMilliseconds(responseTimes?.mean, ""),
  "p50": ({ responseTimes }) => formatMilliseconds(responseTimes?.p50, ""),
  "p95": ({ responseTimes }) => formatMilliseconds(responseTimes?.p95, ""),
  "p99": ({ responseTimes }) => formatMilliseconds(responseTimes?.p99, ""),
  "slowest": ({ responseTimes }) => formatMilliseconds(responseTimes?.max, ""),
  "apdex": ({ apdex }) => apdex?.toFixed(2) ?? "",
  "objective": ({ objective }) => objective === undefined ? "" : formatTarget(objective.target),
  "budget left": ({ objective }) => objective === undefined ? "" : formatBudget(objective),
};

function seconds(value = 0, none = ""): string {
  return value === 0 ? none : shortDuration(value);
}

function statisticsTable(statistics: SiteReport["statistics"]): string {
  const rows = Object.entries(ROWS).map(([label, text]) => [
    label,
    ...FILE_WINDOW_NAMES.map((name) => text(statistics[name])),
  ]).filter(([, ...texts]) => texts.some((text) => text !== ""));
  const header = ["", ...FILE_WINDOW_NAMES.map((name) => WINDOWS[name].short || "all")];
  const aligned = alignCells([header, ...rows], { numeric: [1, 2, 3, 4, 5] });
  return aligned.map(([label, ...cells]) => [paint.dim(label!), ...cells].join(GAP).trimEnd())
    .join("\n");
}

export function statusJson(
  { time, sites, maintenance }: Report,
  mutes: Readonly<Record<string, Mute>> = {},
): unknown {
  const muted = Object.entries(mutes).filter(([, { until }]) => isBefore(time, until));
  const untils = new Map(muted.map(([slug, { until }]) => [slug, until]));
  return {
    time,
    sites: sites.map((one) =>
      withNulls({ ...siteJson(one), mutedUntil: untils.get(one.site.slug) })
    ),
    maintenance: maintenance.map(windowJson),
  };
}

function siteJson(report: SiteReport): Record<string, unknown> {
  const { site, record, lastCheck, lastBeat, samples, history, statistics, locations } = report;
  const state = displayState(report);
  const open = record?.incident === undefined ? undefined : history.incidents.get(record.incident);
  return {
    name: site.name,
    slug: site.slug,
    group: site.group,
    address: shownAddress(site),
    paused: site.paused,
    state: isChecked(report) || state !== "unknown" ? state : null,
    since: state === "unknown" ? null : record?.since,
    lastChecked: lastCheck,
    monitoredSince: samples.first && formatMoment(samples.first),
    code: record?.code,
    responseTime: record && findResponseTime(record),
    ...lastBeat && { lastBeat },
    incident: open && {
      ...incidentJson(record!.incident!, open),
      acknowledgements: open.acknowledgements.map(acknowledgementJson),
    },
    windows: new Map(WINDOW_NAMES.map((name) => [name, statisticsJson(statistics[name])])),
    ...locations && { locations: locations.map(locationJson) },
  };
}

/** Formats the locations of a site, the worst first, with their figures of the last 24 hours. */
function locationLines(locations: readonly LocationReport[], columns: number): string {
  const sorted = sortWorstFirst(locations, "day");
  const header = ["locations", "", "up 24h", "mean", "p95"];
  const rows = sorted.map(({ name, state, statistics: { day } }) => [
    fit(name, LONGEST_NAME),
    state,
    formatShare(day.uptime),
    formatMilliseconds(day.responseTimes?.mean),
    formatMilliseconds(day.responseTimes?.p95),
  ]);
  const [head, ...cells] = alignCells([header, ...rows], { numeric: [2, 3, 4] });
  return [
    paint.dim(`  ${head!.join(GAP)}`.trimEnd()),
    ...cells.map((row, index) => {
      const location = sorted[index]!;
      const line = [...row, describeLast(location)].join(GAP).trimEnd();
      return `${stateMark(location.state)} ${fit(line, columns - 2)}`;
    }),
  ].join("\n");
}

/** Reason why a location does not see the site up: its last error, or the time of its last result. */
function describeLast({ state, last }: LocationReport): string {
  if (last === undefined) return "no result yet";
  if (state === "unknown" && last.state !== "unknown") {
    return `no result since ${formatMinute(last.time)}`;
  }
  return plainText(last.error ?? "");
}

/** Data of a location, with the keys of `api/` and the error of its last result. */
function locationJson(location: LocationReport): Readonly<Record<string, unknown>> {
  const { name, state, last, statistics } = location;
  return {
    ...{ name, state },
    lastUpdated: last?.time ?? null,
    cause: last?.error === undefined ? null : plainText(last.error),
    windows: new Map(
      WINDOW_NAMES.map((window) => [window, withNulls(locationWindow(statistics[window]))]),
    ),
  };
}
