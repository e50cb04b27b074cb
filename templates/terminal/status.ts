import {
  FILE_WINDOW_NAMES,
  windowBack,
  type WindowName,
  WINDOWS,
} from "../../lib/history/windows.ts";
import { type Bucket, bucketsIn } from "../../lib/statistics/buckets.ts";
import { displayState, type Report, type SiteReport } from "../../lib/statistics/report/report.ts";
import { percentile } from "../../lib/statistics/response_times.ts";
import type { State } from "../../lib/state.ts";
import { column, textWidth } from "../../lib/text/columns.ts";
import { paint } from "../../lib/text/paint.ts";
import { describeDuration, HOUR } from "../../lib/time.ts";
import {
  count,
  countSites,
  formatCoverage,
  formatMilliseconds,
  formatMinuteFrom,
  formatShare,
  formatTarget,
  shortDuration,
} from "../words.ts";
import { STATE_COLOURS, stateMark } from "./lines.ts";

/** Blanks between two columns. */
export const GAP = "  ";

interface Cell {
  text: string;
  colour?(text: string): string;
}

interface StatusColumn {
  title: string;
  cell(site: SiteReport): Cell;
  /** True if cells are aligned to the left. */
  isText?: boolean;
  /** True if the column is omitted if all cells are empty. */
  isOptional?: boolean;
}

const responseTime = (name: "p50" | "p95"): StatusColumn => ({
  title: name,
  cell: ({ statistics }) => cellOf(formatMilliseconds(statistics.day.responseTimes?.[name])),
});
const uptime = (name: "day" | "week" | "month" | "year"): StatusColumn => ({
  title: `up ${WINDOWS[name].short}`,
  cell: ({ statistics }) => cellOf(formatShare(statistics[name].uptime)),
});
const target: StatusColumn = {
  title: "SLO",
  isOptional: true,
  cell: ({ statistics: { month: { objective } } }) => ({
    text: objective === undefined ? "" : formatTarget(objective.target),
  }),
};
const budget: StatusColumn = {
  title: "budget",
  isText: true,
  isOptional: true,
  cell: ({ statistics: { month: { objective } } }) => {
    if (objective?.isMet === undefined) return { text: "" };
    const { isMet, left } = objective;
    const text = `${shortDuration(Math.abs(left))} ${isMet ? "left" : "over"}`;
    return isMet ? { text } : { text, colour: paint.red };
  },
};
/** The lowest coverage of a rolling window, if it is below 99%. */
const known: StatusColumn = {
  title: "known",
  isText: true,
  isOptional: true,
  cell: ({ statistics }) => {
    const coverage = (name: WindowName) => statistics[name].coverage ?? 1;
    const [least] = FILE_WINDOW_NAMES.filter((name) => name !== "all" && coverage(name) < 0.99)
      .sort((one, other) => coverage(one) - coverage(other));
    return least === undefined ? { text: "" } : {
      text: `${formatCoverage(coverage(least))} ${WINDOWS[least].short}`,
      colour: paint.yellow,
    };
  },
};

function cellOf(text: string): Cell {
  return text === "–" ? { text, colour: paint.dim } : { text };
}

/** The columns of the table, and the pieces of the sparkline, in narrow and in wide terminals. */
const NARROW = { facts: [uptime("day"), uptime("month"), responseTime("p95"), known], pulses: 12 };
const WIDE = {
  facts: [
    ...(["day", "week", "month", "year"] as const).map(uptime),
    ...[responseTime("p50"), responseTime("p95"), target, budget, known],
  ],
  pulses: 24,
};
/** Columns of a wide terminal. */
const WIDE_FROM = 140;
/** Width of the column of names. */
const NAMES = { least: 6, most: 40 };

/** Formats the status of all sites as a table, followed by a summary. */
export function statusTable(report: Report, columns: number): string {
  const { sites, time } = report;
  if (sites.length === 0) return statusSummary(report);
  const { facts: all, pulses } = columns < WIDE_FROM ? NARROW : WIDE;
  const widest = (texts: readonly string[]) => Math.max(0, ...texts.map(textWidth));
  const facts = all.filter(({ isOptional, cell }) =>
    !isOptional || sites.some((site) => cell(site).text !== "")
  ).map((fact) => ({
    ...fact,
    width: widest([fact.title, ...sites.map((site) => fact.cell(site).text)]),
  }));
  const stateWidth = widest(sites.map((site) => briefState(presentState(site, time))));
  const fixed = [stateWidth, ...facts.map(({ width }) => width), pulses];
  const room = columns - "✔ ".length - fixed.reduce((sum, width) => sum + GAP.length + width, 0);
  const longest = Math.min(NAMES.most, widest(sites.map(({ site }) => site.name)));
  const nameWidth = Math.max(NAMES.least, Math.min(longest, room));
  const align = (text: string, { isText, width }: { isText?: boolean; width: number }) =>
    isText ? column(text, width) : text.padStart(width);

  const line = (site: SiteReport) => {
    const state = presentState(site, time);
    const cells = [
      column(site.site.name, nameWidth),
      WORD_COLOURS[state.word](column(briefState(state), stateWidth)),
      ...facts.map((fact) => {
        const { text, colour = String } = fact.cell(site);
        return colour(align(text, fact));
      }),
      sparkline(bucketsIn(site.samples, windowBack("day", time.epochMilliseconds, 0), pulses)),
    ];
    return `${state.mark} ${cells.join(GAP)}`.trimEnd();
  };
  const header = [
    column("", nameWidth + "✔ ".length),
    column("", stateWidth),
    ...facts.map((fact) => align(fact.title, fact)),
    pulses < 13 ? "last 24 h" : "last 24 hours",
  ].join(GAP);
  const groups = Map.groupBy(sites, ({ site }) => site.group || undefined);
  const ungrouped = groups.get(undefined) ?? [];
  groups.delete(undefined);
  return [
    paint.dim(header),
    ...ungrouped.map(line),
    ...[...groups].flatMap(([group, own]) => [
      "",
      paint.cyan(column(group!, columns).trimEnd()),
      ...own.map(line),
    ]),
    "",
    statusSummary(report),
  ].join("\n");
}

/** The present state of a site. */
interface PresentState {
  /** A coloured sign, one column wide. */
  mark: string;
  word: State | "paused" | "no data";
  /** Seconds since it started; of an unknown state, since the last check with a result. */
  seconds?: number;
}

const WORD_COLOURS: Readonly<Record<PresentState["word"], (text: string) => string>> = {
  ...STATE_COLOURS,
  up: String,
  paused: paint.dim,
  "no data": paint.dim,
};

/** Returns the present state: paused, or the displayed state; `no data` if the site was never checked. */
export function presentState(report: SiteReport, now: Temporal.Instant): PresentState {
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

/** Formats a state with its duration: `down 2h 5m`. */
function briefState({ word, seconds }: PresentState): string {
  return seconds === undefined || word === "unknown" ? word : `${word} ${shortDuration(seconds)}`;
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
export function sparkline(pulses: readonly Bucket[]): string {
  const medians = Float64Array.from(pulses.flatMap(({ median }) => median ?? [])).sort();
  const usual = medians.length === 0 ? 0 : percentile(medians, 0.5);
  const top = Math.max(2 * usual, medians.at(-1) ?? 0, 1);
  return pulses.map(({ state, median }) => {
    if (state === "unknown") return " ";
    if (median === undefined) return STATE_COLOURS[state](SIGNS[state]);
    const level = Math.ceil(median / top * BLOCKS.length) - 1;
    return STATE_COLOURS[state](BLOCKS[Math.min(BLOCKS.length - 1, Math.max(0, level))]!);
  }).join("");
}

/** Milliseconds after which the last check is called old: no usual schedule has longer gaps. */
const OLD = 2 * HOUR;

/** States in a summary, the worst first. */
const SUMMARIZED = [
  "down",
  "degraded",
  "unknown",
  "maintenance",
  "paused",
  "no data",
] as const satisfies PresentState["word"][];

/** Summarizes the sites: `1 of 12 sites is down; last checked 10:05 UTC.` */
function statusSummary({ sites, time }: Report): string {
  if (sites.length === 0) return "There is nothing to monitor: the configuration has no sites.";
  const words = summarizeStates(sites.map((site) => presentState(site, time).word));
  const last = sites.flatMap(({ lastCheck, record }) => record === undefined ? [] : lastCheck ?? [])
    .sort(Temporal.Instant.compare).at(-1);
  if (last === undefined) {
    return sites.some(isChecked)
      ? `${words}; no check has had a result yet.`
      : `No data yet for ${countSites(sites.length)}: the command update makes the first checks.`;
  }
  const age = time.since(last).total("milliseconds");
  const old = age < OLD ? "" : paint.yellow(`, ${describeDuration(age)} ago`);
  return `${words}; last checked ${formatMinuteFrom(last, time)}${old}.`;
}

function summarizeStates(words: readonly PresentState["word"][]): string {
  const total = words.length;
  const parts = SUMMARIZED.flatMap((word) => {
    const number = words.filter((one) => one === word).length;
    return number === 0 ? [] : [{ number, text: predicate(word, number) }];
  });
  const [first, ...others] = parts;
  if (first === undefined) return total === 1 ? "The site is up" : `All ${total} sites are up`;
  if (total === 1) return `The site ${first.text}`;
  if (first.number === total) return `All ${count(total, "site")} ${first.text}`;
  const rest = others.map(({ number, text }) => `, ${number} ${text}`).join("");
  return `${first.number} of ${total} sites ${first.text}${rest}`;
}

function predicate(word: typeof SUMMARIZED[number], number: number): string {
  if (word === "no data") return number === 1 ? "has no data yet" : "have no data yet";
  return `${number === 1 ? "is" : "are"} ${word === "maintenance" ? "in maintenance" : word}`;
}
