import {
  FILE_WINDOW_NAMES,
  windowBack,
  type WindowName,
  WINDOWS,
} from "../../lib/history/windows.ts";
import type { ArchivedSite } from "../../lib/statistics/report/archived_sites.ts";
import { type Bucket, computeBuckets } from "../../lib/statistics/buckets.ts";
import { displayState, type Report, type SiteReport } from "../../lib/statistics/report/report.ts";
import { percentile } from "../../lib/statistics/response_times.ts";
import type { State } from "../../lib/state.ts";
import { column } from "../../lib/text/columns.ts";
import { formatCommand } from "../../lib/text/invocation.ts";
import { paint } from "../../lib/text/paint.ts";
import { describeDuration, HOUR } from "../../lib/time.ts";
import {
  count,
  countStates,
  formatBudget,
  formatCoverage,
  formatMilliseconds,
  formatMinuteFrom,
  formatShare,
  formatTarget,
  shortDuration,
} from "../words.ts";
import { alignCells, GAP, STATE_COLORS, stateMark } from "./lines.ts";

type Fact = readonly [title: string, text: (site: SiteReport) => string];

const UPTIMES = (["day", "week", "month", "year"] as const).map((name): Fact => [
  `up ${WINDOWS[name].short}`,
  ({ statistics }) => formatShare(statistics[name].uptime),
]);
const TIMES = (["p50", "p95"] as const).map((name): Fact => [
  name,
  ({ statistics }) => formatMilliseconds(statistics.day.responseTimes?.[name]),
]);
const OBJECTIVE: readonly Fact[] = [
  [
    "SLO",
    ({ statistics: { month: { objective } } }) => objective ? formatTarget(objective.target) : "",
  ],
  [
    "budget",
    ({ statistics: { month: { objective } } }) => {
      if (objective?.left === undefined) return "";
      const { budget, left } = objective;
      const time = formatBudget({ ...objective, left: Math.abs(left) });
      return budget === 0 && left === 0 ? time : `${time} ${left < 0 ? "over" : "left"}`;
    },
  ],
];
/** The lowest coverage of a window, if it is below 99%. */
const COVERAGE: Fact = ["coverage", ({ statistics }) => {
  const coverage = (name: WindowName) => statistics[name].coverage ?? 1;
  const [least] = FILE_WINDOW_NAMES.filter((name) => name !== "all" && coverage(name) < 0.99)
    .sort((one, other) => coverage(one) - coverage(other));
  return least === undefined ? "" : `${formatCoverage(coverage(least))} ${WINDOWS[least].short}`;
}];

/** The columns of the table, and the pieces of the sparkline, in small, narrow and wide terminals. */
const SMALL = { facts: [UPTIMES[0]!, COVERAGE], pieces: 8 };
const NARROW = { facts: [UPTIMES[0]!, UPTIMES[2]!, TIMES[1]!, COVERAGE], pieces: 12 };
const WIDE = { facts: [...UPTIMES, ...TIMES, ...OBJECTIVE, COVERAGE], pieces: 24 };
const [NARROW_FROM, WIDE_FROM] = [80, 140];
const SPARKLINE_TITLE = "last 24 h";

export function statusTable(report: Report, columns: number): string {
  const { sites, time } = report;
  if (sites.length === 0) return "There is nothing to monitor: the configuration has no sites.";
  const { facts, pieces } = columns < NARROW_FROM ? SMALL : columns < WIDE_FROM ? NARROW : WIDE;
  const states = sites.map((site) => presentState(site, time));
  const rows = sites.map((site, index) => {
    const { word, seconds } = states[index]!;
    const isTimed = seconds !== undefined && word !== "unknown";
    const state = isTimed ? `${word} ${shortDuration(seconds)}` : word;
    return [site.site.name, state, ...facts.map(([, text]) => text(site))];
  });
  const titles = ["", "", ...facts.map(([title]) => title)];
  const header = titles.map((title, index) => rows.some((row) => row[index] !== "") ? title : "");
  const [head, ...cells] = alignCells([header, ...rows], {
    numeric: facts.map((_, index) => index + 2),
    room: columns - "✔ ".length - GAP.length - Math.max(pieces, SPARKLINE_TITLE.length),
  });
  const day = windowBack("day", time.epochMilliseconds, 0);
  const lines = sites.map(({ samples, site: { group } }, index) => {
    const { mark, word } = states[index]!;
    const [name, state, ...others] = cells[index]!;
    const graph = sparkline(computeBuckets(samples, day, pieces));
    const line = [name, WORD_COLORS[word](state!), ...others, graph].join(GAP);
    return { group: group || undefined, line: `${mark} ${line}`.trimEnd() };
  });
  const groups = Map.groupBy(lines, ({ group }) => group);
  const ungrouped = groups.get(undefined) ?? [];
  return [
    paint.dim(`  ${[...head!, SPARKLINE_TITLE].join(GAP)}`),
    ...ungrouped.map(({ line }) => line),
    ...report.groups.flatMap(({ name }) =>
      !name ? [] : [
        "",
        paint.cyan(column(name, columns).trimEnd()),
        ...(groups.get(name) ?? []).map(({ line }) => line),
      ]
    ),
    "",
    summarize(report, states.map(({ word }) => word)),
  ].join("\n");
}

type Word = State | "paused" | "no data";

const WORD_COLORS: Readonly<Record<Word, (text: string) => string>> = {
  ...STATE_COLORS,
  up: String,
  paused: paint.dim,
  "no data": paint.dim,
};

/** The present state with its sign, and the seconds since its start, or since the last result if unknown. */
export function presentState(
  report: SiteReport,
  now: Temporal.Instant,
): { mark: string; word: Word; seconds?: number } {
  const { site, record, lastCheck = record?.lastUpdated } = report;
  if (site.paused) return { mark: paint.dim("‖"), word: "paused" };
  const state = displayState(report);
  const mark = stateMark(state);
  if (state === "maintenance") return { mark, word: state };
  if (record === undefined || lastCheck === undefined) {
    return { mark, word: isChecked(report) ? "unknown" : "no data" };
  }
  const since = state === "unknown" ? lastCheck : record.since;
  return { mark, word: state, seconds: Math.max(0, now.since(since).total("seconds")) };
}

/** True if a run has checked the site, with or without a result. */
export function isChecked({ record, samples }: SiteReport): boolean {
  return record !== undefined || samples.checks.length > 0;
}

const BLOCKS = [..."▁▂▃▄▅▆▇█"];
/** Signs of pieces of time without response times. */
const SIGNS: Readonly<Record<State, string>> = {
  up: "·",
  degraded: "·",
  down: "×",
  maintenance: "•",
  unknown: " ",
};

/**
 * Draws response times as blocks, one per piece of time; `×` is an outage, `•` maintenance, and a blank means no
 * data. The median is at most half as high as the line, so that steady times look steady.
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
export function sparkline(pieces: readonly Bucket[]): string {
  const medians = Float64Array.from(pieces.flatMap(({ median }) => median ?? [])).sort();
  const usual = medians.length === 0 ? 0 : percentile(medians, 0.5);
  const top = Math.max(2 * usual, medians.at(-1) ?? 0, 1);
  return pieces.map(({ state, median }) => {
    if (state === "unknown") return SIGNS.unknown;
    if (median === undefined) return STATE_COLORS[state](SIGNS[state]);
    const level = Math.max(1, Math.ceil(median / top * BLOCKS.length));
    return STATE_COLORS[state](BLOCKS[level - 1]!);
  }).join("");
}

/** Milliseconds after which the last check is called old: no usual schedule has longer gaps. */
const OLD = 2 * HOUR;

function summarize({ sites, time }: Report, words: readonly Word[]): string {
  const counts = countStates(words);
  const last = sites.flatMap(({ lastCheck, record }) => record === undefined ? [] : lastCheck ?? [])
    .sort(Temporal.Instant.compare).at(-1);
  if (last === undefined) {
    const update = formatCommand("update");
    return sites.some(isChecked)
      ? `${counts}. No check has had a result yet: "${update}" shows the reasons.`
      : `${counts}. No site has been checked yet: "${update}" checks them.`;
  }
  const age = time.since(last).total("milliseconds");
  const old = age < OLD ? "" : paint.yellow(`, ${describeDuration(age)} ago`);
  return `${counts}. Last checked ${formatMinuteFrom(last, time)}${old}.`;
}

export function archivedTable(sites: readonly ArchivedSite[]): string {
  if (sites.length === 0) return "Every site with a past is configured.";
  const rows = sites.map(({ slug, first, last, checks, incidents, uptime, mean }) => [
    slug,
    `${first.slice(0, 10)} to ${last.slice(0, 10)}`,
    count(checks, "check"),
    count(incidents, "incident"),
    formatShare(uptime),
    formatMilliseconds(mean),
  ]);
  return alignCells(rows, { numeric: [2, 3, 4, 5] }).map((row) => row.join(GAP).trimEnd())
    .join("\n");
}
