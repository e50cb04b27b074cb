import { column, fit } from "../../lib/text/columns.ts";
import { shownAddress } from "../../lib/config/shown_address.ts";
import { paint } from "../../lib/text/paint.ts";
import { plainText } from "../../lib/text/plain_text.ts";
import type { SiteReport } from "../../lib/statistics/report/report.ts";
import { secondsOpen } from "../../lib/statistics/down_pieces.ts";
import { pulsesOf } from "../../lib/statistics/pulse.ts";
import type { Statistics } from "../../lib/statistics/statistics.ts";
import { FILE_WINDOW_NAMES, windowBack, WINDOWS } from "../../lib/history/windows.ts";
import { formatMilliseconds, formatShare, formatTarget, shortDuration } from "../measures.ts";
import { formatMinute } from "../words.ts";
import { fullState, presentState } from "./site_state.ts";
import { sparkline } from "./sparkline.ts";
import { formatCoverage } from "./status_columns.ts";
import { GAP } from "./status_layout.ts";

const LABEL = 19;
/** Columns of a number: as wide as the longest that is usual. */
const NUMBER = 10;
/** Incidents that are shown, the newest. */
const MOST_INCIDENTS = 20;

/** All that is known of one site, for a terminal of some columns. */
export function siteStatus(report: SiteReport, now: Temporal.Instant, columns: number): string {
  const { site, record } = report;
  const state = presentState(report, now);
  const since = state.word === "unknown"
    ? unknownWords(report)
    : state.seconds === undefined || record === undefined
    ? ""
    : `, since ${formatMinute(record.since)}`;
  const address = shownAddress(site);
  const head = [
    fit([site.name, site.check, address ?? []].flat().join("  "), columns),
    `${state.mark} ${fullState(state)}${since}`,
  ];
  if (record === undefined) return head.join("\n\n");
  const first = report.evidence.first;
  const facts = [
    `Last checked ${formatMinute(report.lastCheck ?? record.lastUpdated)}`,
    ...first === undefined
      ? []
      : [`first ${formatMinute(Temporal.Instant.fromEpochMilliseconds(first))}`],
  ];
  return [
    ...head,
    [`${facts.join(", ")}.`, ...certificate(record.certificate, now)].join("\n"),
    table(report, columns),
    drawing(report, now, columns),
    incidents(report, now, columns),
  ].filter((part) => part !== "").join("\n\n");
}

/** Why nobody knows how a site is, and what is still open. */
function unknownWords({ record, unknownReason }: SiteReport): string {
  const reason = unknownReason === undefined ? "no current data" : plainText(unknownReason);
  return `: ${reason}${record?.incident === undefined ? "" : "; its incident is still open"}`;
}

/** Until when the certificate is valid, where there is one. */
function certificate(until: Temporal.Instant | undefined, now: Temporal.Instant): string[] {
  if (until === undefined) return [];
  const seconds = until.since(now).total("seconds");
  return [
    seconds > 0
      ? `Certificate valid until ${formatMinute(until)}, ${shortDuration(seconds)}.`
      : `Certificate expired ${formatMinute(until)}, ${shortDuration(-seconds)} ago.`,
  ];
}

/** What is told of each window, one thing a line; a line that tells nothing of any is left out. */
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
  ["mean response", ({ responseTimes }) => milliseconds(responseTimes?.mean)],
  ["p50", ({ responseTimes }) => milliseconds(responseTimes?.p50)],
  ["p95", ({ responseTimes }) => milliseconds(responseTimes?.p95)],
  ["p99", ({ responseTimes }) => milliseconds(responseTimes?.p99)],
  ["slowest", ({ responseTimes }) => milliseconds(responseTimes?.max)],
  ["apdex", ({ apdex }) => apdex === undefined ? "" : apdex.toFixed(2)],
  ["budget left", ({ objective }) => objective?.isMet === undefined ? "" : left(objective.left)],
];

/** As many windows as there is room for, the shortest first. */
function table({ site, statistics }: SiteReport, columns: number): string {
  const names = FILE_WINDOW_NAMES.slice(
    0,
    Math.max(1, Math.floor((columns - LABEL + GAP.length) / (NUMBER + GAP.length))),
  );
  const all = names.map((name) => statistics[name]);
  const objective = statistics.month.objective;
  const labels: Readonly<Record<string, string>> = {
    "apdex": `apdex (${formatMilliseconds(site.apdex)})`,
    "budget left": `budget left (${objective === undefined ? "" : formatTarget(objective.target)})`,
  };
  const line = (texts: readonly string[]) => texts.map((text) => text.padStart(NUMBER)).join(GAP);
  const header = line(names.map((name) => WINDOWS[name].short || "all"));
  const lines = ROWS.flatMap(([label, text]) => {
    const texts = all.map(text);
    if (texts.every((one) => one === "")) return [];
    return [
      paint.dim(column(labels[label] ?? label, LABEL)) + line(texts).trimEnd(),
    ];
  });
  return [paint.dim(" ".repeat(LABEL) + header), ...lines].join("\n");
}

function drawing({ evidence }: SiteReport, now: Temporal.Instant, columns: number): string {
  const count = [72, 48, 24, 12].find((one) => one <= columns) ?? 12;
  const pulses = pulsesOf(evidence, windowBack("day", now.epochMilliseconds, 0), count);
  if (pulses.every(({ state }) => state === "unknown")) return "";
  return `${paint.dim("last 24 hours")}\n${sparkline(pulses).trimEnd()}`;
}

function incidents(
  { history, knownUntil }: SiteReport,
  now: Temporal.Instant,
  columns: number,
): string {
  const shown = [...history.incidents.values()]
    .sort((one, other) => Temporal.Instant.compare(other.start, one.start));
  if (shown.length === 0) return "No incidents.";
  const lines = shown.slice(0, MOST_INCIDENTS).map((incident) => {
    const { start, end, kind, error, issue } = incident;
    const isLost = end === undefined && knownUntil !== undefined;
    const to = isLost ? knownUntil : now.epochMilliseconds;
    const length = shortDuration(Math.max(1, secondsOpen(incident, { from: -Infinity, to })));
    const words = [
      formatMinute(start),
      column(kind, 8),
      column(isLost ? `at least ${length}` : end === undefined ? `${length} so far` : length, 16),
      [issue === undefined ? [] : `#${issue}`, plainText(error)].flat().join(" "),
    ];
    return fit(words.join("  "), columns).trimEnd();
  });
  const rest = shown.length - MOST_INCIDENTS;
  const more = rest > 0 ? [paint.dim(`and ${rest} before`)] : [];
  return [paint.dim("incidents"), ...lines, ...more].join("\n");
}

function seconds(value: number, none = "0"): string {
  return value === 0 ? none : shortDuration(value);
}

function left(value: number): string {
  return value < 0 ? `-${shortDuration(-value)}` : shortDuration(value);
}

function milliseconds(value: number | undefined): string {
  return formatMilliseconds(value, "");
}
