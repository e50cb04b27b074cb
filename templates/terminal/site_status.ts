import { column, fit } from "../../lib/text/columns.ts";
import { shownAddress } from "../../lib/config/shown_address.ts";
import { paint } from "../../lib/text/paint.ts";
import { plainText } from "../../lib/text/plain_text.ts";
import type { Report, SiteReport } from "../../lib/statistics/report/report.ts";
import { secondsOpen } from "../../lib/statistics/down_pieces.ts";
import { type Pulse, pulsesOf } from "../../lib/statistics/pulse.ts";
import type { Statistics } from "../../lib/statistics/statistics.ts";
import { FILE_WINDOW_NAMES, WINDOW_NAMES, windowBack, WINDOWS } from "../../lib/history/windows.ts";
import {
  formatCoverage,
  formatMilliseconds,
  formatMinute,
  formatShare,
  formatTarget,
  longDuration,
  shortDuration,
} from "../words.ts";
import { shownState } from "../../lib/statistics/report/shown_state.ts";
import type { State } from "../../lib/state.ts";
import { STATE_COLOURS, stateMark } from "./lines.ts";
import { percentile } from "../../lib/statistics/response_times.ts";
import { formatTime } from "../../lib/time.ts";
import { incidentJson, statisticsJson } from "../json.ts";
import { windowJson } from "./maintenance.ts";

/** Columns of blanks between two facts. */
export const GAP = "  ";
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

/** The present state of a site, for people. */
export interface PresentState {
  /** A coloured sign, one column wide. */
  mark: string;
  word: State | "paused" | "no data";
  /** Seconds since it started; of an unknown state, seconds since the last check that had a result. */
  seconds?: number;
}

/** The present state of a site: paused, or its displayed state; `no data` if it was never checked. */
export function presentState(report: SiteReport, now: Temporal.Instant): PresentState {
  const { site, record, lastCheck = record?.lastUpdated } = report;
  if (site.paused) return { mark: paint.dim("‖"), word: "paused" };
  const state = shownState(report);
  const mark = stateMark(state);
  if (state === "maintenance") return { mark, word: state };
  if (record === undefined || lastCheck === undefined) {
    return { mark, word: isChecked(report) ? "unknown" : "no data" };
  }
  const since = state === "unknown" ? lastCheck : record.since;
  return { mark, word: state, seconds: Math.max(0, now.since(since).total("seconds")) };
}

/** The word with how long it has been so: `down 2h 5m`. */
export function briefState({ word, seconds }: PresentState): string {
  return seconds === undefined || word === "unknown" ? word : `${word} ${shortDuration(seconds)}`;
}

/** The same in full: `down for 2 hours, 5 minutes`. */
export function fullState({ word, seconds }: PresentState): string {
  if (seconds === undefined) return word;
  const length = longDuration(Math.max(1, seconds));
  return word === "unknown" ? `unknown, last checked ${length} ago` : `${word} for ${length}`;
}

/** True if a run has checked the site, with or without a result. */
export function isChecked({ record, evidence }: SiteReport): boolean {
  return record !== undefined || evidence.checks.length > 0;
}

const BLOCKS = [..."▁▂▃▄▅▆▇█"];
/** What stands for a piece of time that has no response times. */
const SIGNS: Readonly<Record<State, string>> = {
  up: "·",
  degraded: "·",
  down: "×",
  maintenance: "•",
  unknown: " ",
};

/**
 * Response times as blocks, a sign for each piece of time: higher is slower, `×` is an outage, `•` is
 * maintenance, and a blank is nothing known. Half the height is twice the usual at most, so that what
 * is steady looks steady.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals(sparkline([
 *   { state: "unknown" },
 *   { state: "up", median: 100 },
 *   { state: "up", median: 110 },
 *   { state: "down" },
 *   { state: "degraded", median: 800 },
 * ]), " ▁▂×█");
 * ```
 */
export function sparkline(pulses: readonly Pulse[]): string {
  const medians = Float64Array.from(pulses.flatMap(({ median }) => median ?? [])).sort();
  const usual = medians.length === 0 ? 0 : percentile(medians, 0.5);
  const top = Math.max(2 * usual, medians.at(-1) ?? 0, 1);
  let line = "";
  for (let at = 0; at < pulses.length;) {
    const { state } = pulses[at]!;
    let signs = "";
    for (; pulses[at]?.state === state; at++) signs += signOf(pulses[at]!, top);
    // Blanks stay what they are, so that those at the end can be left out.
    line += state === "unknown" ? signs : STATE_COLOURS[state](signs);
  }
  return line;
}

function signOf({ state, median }: Pulse, top: number): string {
  if (median === undefined) return SIGNS[state];
  const level = Math.ceil(median / top * BLOCKS.length) - 1;
  return BLOCKS[Math.min(BLOCKS.length - 1, Math.max(0, level))]!;
}

/** What `status --json` prints; the keys are told in the README. */
export function statusJson({ time, sites, maintenance }: Report): unknown {
  return {
    time: formatTime(time),
    sites: sites.map(siteJson),
    maintenance: maintenance.map(windowJson),
  };
}

function siteJson(report: SiteReport): unknown {
  const { site, record, lastCheck, evidence, history, statistics } = report;
  const state = shownState(report);
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
    monitoredSince: evidence.first === undefined
      ? null
      : formatTime(Temporal.Instant.fromEpochMilliseconds(evidence.first)),
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
