import { shownAddress } from "../../lib/config/config.ts";
import { FILE_WINDOW_NAMES, WINDOW_NAMES, windowBack, WINDOWS } from "../../lib/history/windows.ts";
import { bucketsIn } from "../../lib/statistics/buckets.ts";
import { secondsOpen } from "../../lib/statistics/outages.ts";
import { displayState, type Report, type SiteReport } from "../../lib/statistics/report/report.ts";
import type { Statistics } from "../../lib/statistics/statistics.ts";
import { column, fit } from "../../lib/text/columns.ts";
import { paint } from "../../lib/text/paint.ts";
import { plainText } from "../../lib/text/plain_text.ts";
import { formatTime } from "../../lib/time.ts";
import { incidentJson, statisticsJson } from "../json.ts";
import {
  formatCoverage,
  formatMilliseconds,
  formatMinute,
  formatShare,
  formatTarget,
  longDuration,
  shortDuration,
} from "../words.ts";
import { windowJson } from "./maintenance.ts";
import { GAP, isChecked, presentState, sparkline } from "./status.ts";

/** Widths of the labels, and of the figures. */
const LABEL = 19;
const NUMBER = 10;
const MOST_INCIDENTS = 20;

/** Formats everything known of one site, for a terminal with some columns. */
export function siteStatus(report: SiteReport, now: Temporal.Instant, columns: number): string {
  const { site, record, samples, lastCheck } = report;
  const head = [
    fit([site.name, site.check, shownAddress(site) ?? []].flat().join("  "), columns),
    fullState(report, now),
  ];
  if (record === undefined) return head.join("\n\n");
  const first = samples.first === undefined
    ? ""
    : `, first ${formatMinute(Temporal.Instant.fromEpochMilliseconds(samples.first))}`;
  return [
    ...head,
    [
      `Last checked ${formatMinute(lastCheck ?? record.lastUpdated)}${first}.`,
      ...certificateLine(record.certificate, now),
    ].join("\n"),
    statisticsTable(report, columns),
    lastDay(report, now, columns),
    incidentLines(report, now, columns),
  ].filter((part) => part !== "").join("\n\n");
}

/** `down for 2 hours, 5 minutes, since …`, or why the state is unknown. */
function fullState(report: SiteReport, now: Temporal.Instant): string {
  const { record, unknownReason } = report;
  const { mark, word, seconds } = presentState(report, now);
  const length = seconds === undefined ? "" : longDuration(Math.max(1, seconds));
  if (word !== "unknown") {
    if (seconds === undefined || record === undefined) return `${mark} ${word}`;
    return `${mark} ${word} for ${length}, since ${formatMinute(record.since)}`;
  }
  const checked = length === "" ? "" : `, last checked ${length} ago`;
  const reason = unknownReason === undefined ? "no current data" : plainText(unknownReason);
  const open = record?.incident === undefined ? "" : "; its incident is still open";
  return `${mark} unknown${checked}: ${reason}${open}`;
}

function certificateLine(until: Temporal.Instant | undefined, now: Temporal.Instant): string[] {
  if (until === undefined) return [];
  const seconds = until.since(now).total("seconds");
  return [
    seconds > 0
      ? `Certificate valid until ${formatMinute(until)}, ${shortDuration(seconds)}.`
      : `Certificate expired ${formatMinute(until)}, ${shortDuration(-seconds)} ago.`,
  ];
}

/** Rows of the table; a row is omitted if it is empty for all windows. */
const ROWS: readonly [label: string, text: (one: Statistics) => string][] = [
  ["uptime", ({ uptime }) => formatShare(uptime, "no data")],
  ["known", ({ coverage }) => coverage === undefined ? "" : formatCoverage(coverage)],
  ["down", ({ down, observed }) => observed === 0 ? "" : seconds(down)],
  ["degraded", ({ degraded }) => seconds(degraded, "")],
  ["maintenance", ({ maintenance }) => seconds(maintenance, "")],
  ["outages", ({ outages, observed }) => observed + outages === 0 ? "" : String(outages)],
  ["longest outage", ({ longestOutage }) => seconds(longestOutage, "")],
  ["mean recovery", ({ mttr }) => mttr === undefined ? "" : seconds(mttr)],
  ["mean between", ({ mtbf }) => mtbf === undefined ? "" : seconds(mtbf)],
  ["checks", ({ checks }) => Math.round(checks).toLocaleString("en")],
  ["mean response", ({ responseTimes }) => formatMilliseconds(responseTimes?.mean, "")],
  ["p50", ({ responseTimes }) => formatMilliseconds(responseTimes?.p50, "")],
  ["p95", ({ responseTimes }) => formatMilliseconds(responseTimes?.p95, "")],
  ["p99", ({ responseTimes }) => formatMilliseconds(responseTimes?.p99, "")],
  ["slowest", ({ responseTimes }) => formatMilliseconds(responseTimes?.max, "")],
  ["apdex", ({ apdex }) => apdex === undefined ? "" : apdex.toFixed(2)],
  ["budget left", ({ objective }) => {
    if (objective?.isMet === undefined) return "";
    return `${objective.left < 0 ? "-" : ""}${shortDuration(Math.abs(objective.left))}`;
  }],
];

function seconds(value: number, none = "0"): string {
  return value === 0 ? none : shortDuration(value);
}

function statisticsTable({ site, statistics }: SiteReport, columns: number): string {
  const most = Math.floor((columns - LABEL + GAP.length) / (NUMBER + GAP.length));
  const names = FILE_WINDOW_NAMES.slice(0, Math.max(1, most));
  const { objective } = statistics.month;
  const labels: Readonly<Record<string, string>> = {
    "apdex": `apdex (${formatMilliseconds(site.apdex)})`,
    "budget left": `budget left (${objective === undefined ? "" : formatTarget(objective.target)})`,
  };
  const line = (texts: readonly string[]) => texts.map((text) => text.padStart(NUMBER)).join(GAP);
  const header = line(names.map((name) => WINDOWS[name].short || "all"));
  const lines = ROWS.flatMap(([label, text]) => {
    const texts = names.map((name) => text(statistics[name]));
    if (texts.every((one) => one === "")) return [];
    return [paint.dim(column(labels[label] ?? label, LABEL)) + line(texts).trimEnd()];
  });
  return [paint.dim(" ".repeat(LABEL) + header), ...lines].join("\n");
}

function lastDay({ samples }: SiteReport, now: Temporal.Instant, columns: number): string {
  const count = [72, 48, 24, 12].find((one) => one <= columns) ?? 12;
  const pulses = bucketsIn(samples, windowBack("day", now.epochMilliseconds, 0), count);
  return pulses.every(({ state }) => state === "unknown")
    ? ""
    : `${paint.dim("last 24 hours")}\n${sparkline(pulses).trimEnd()}`;
}

function incidentLines(
  { history, knownUntil }: SiteReport,
  now: Temporal.Instant,
  columns: number,
): string {
  const all = [...history.incidents.values()]
    .sort((one, other) => Temporal.Instant.compare(other.start, one.start));
  if (all.length === 0) return "No incidents.";
  const lines = all.slice(0, MOST_INCIDENTS).map((incident) => {
    const { start, end, kind, error, issue } = incident;
    const isLost = end === undefined && knownUntil !== undefined;
    const to = isLost ? knownUntil : now.epochMilliseconds;
    const length = shortDuration(Math.max(1, secondsOpen(incident, { from: -Infinity, to })));
    const cells = [
      formatMinute(start),
      column(kind, 8),
      column(isLost ? `at least ${length}` : end === undefined ? `${length} so far` : length, 16),
      [issue === undefined ? [] : `#${issue}`, plainText(error)].flat().join(" "),
    ];
    return fit(cells.join(GAP), columns).trimEnd();
  });
  const rest = all.length - MOST_INCIDENTS;
  const more = rest > 0 ? [paint.dim(`and ${rest} before`)] : [];
  return [paint.dim("incidents"), ...lines, ...more].join("\n");
}

/** Data for `status --json`. */
export function statusJson({ time, sites, maintenance }: Report): unknown {
  return {
    time: formatTime(time),
    sites: sites.map(siteJson),
    maintenance: maintenance.map(windowJson),
  };
}

function siteJson(report: SiteReport): unknown {
  const { site, record, lastCheck, samples, history, statistics } = report;
  const state = displayState(report);
  const open = record?.incident === undefined ? undefined : history.incidents.get(record.incident);
  return {
    name: site.name,
    slug: site.slug,
    group: site.group ?? null,
    address: shownAddress(site) ?? null,
    paused: site.paused,
    state: isChecked(report) || state !== "unknown" ? state : null,
    since: record === undefined || state === "unknown" ? null : formatTime(record.since),
    lastChecked: lastCheck === undefined ? null : formatTime(lastCheck),
    monitoredSince: samples.first === undefined
      ? null
      : formatTime(Temporal.Instant.fromEpochMilliseconds(samples.first)),
    code: record?.code ?? null,
    responseTime: record === undefined || record.status === "down"
      ? null
      : Math.round(record.responseTime),
    incident: open === undefined ? null : incidentJson(record!.incident!, open),
    windows: Object.fromEntries(
      WINDOW_NAMES.map((name) => [name, statisticsJson(statistics[name])]),
    ),
  };
}
