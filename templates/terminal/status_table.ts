import { column, textWidth } from "../../lib/text/columns.ts";
import { paint } from "../../lib/text/paint.ts";
import type { Report, SiteReport } from "../../lib/statistics/report/report.ts";
import { pulsesOf } from "../../lib/statistics/pulse.ts";
import {
  FILE_WINDOW_NAMES,
  windowBack,
  type WindowName,
  WINDOWS,
} from "../../lib/history/windows.ts";
import { STATE_COLOURS } from "./lines.ts";
import {
  briefState,
  fullState,
  GAP,
  isChecked,
  type PresentState,
  presentState,
  sparkline,
} from "./site_status.ts";
import type { Statistics } from "../../lib/statistics/statistics.ts";
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
import { describeDuration, HOUR } from "../../lib/time.ts";

/** How all sites are, as a table that fits into a number of columns. */
export function statusTable(report: Report, columns: number): string {
  if (report.sites.length === 0) return statusSummary(report);
  const layout = statusLayout(report, columns);
  const lines = [...groups(report.sites)].flatMap(([group, sites]) => [
    ...group === undefined ? [] : ["", paint.cyan(column(group, columns).trimEnd())],
    ...sites.map((site) => siteLine(site, layout, report)),
  ]);
  const title = header(layout);
  return [...title === "" ? [] : [title], ...lines, "", statusSummary(report)].join("\n");
}

/** The sites by the heading they stand under, in the order of the configuration; first those without any. */
function groups(sites: readonly SiteReport[]): Map<string | undefined, SiteReport[]> {
  const found = Map.groupBy(sites, ({ site }) => site.group || undefined);
  const alone = found.get(undefined);
  return alone === undefined ? found : new Map([[undefined, alone], ...found]);
}

function header({ name, state, facts, pulses }: StatusLayout): string {
  const cells = [
    column("", name + "✔ ".length),
    column("", state),
    ...[...facts].map(([fact, width]) => aligned(STATUS_COLUMNS[fact].title, fact, width)),
    ...pulses === 0 ? [] : [column(pulses < 13 ? "last 24 h" : "last 24 hours", pulses)],
  ];
  return paint.dim(cells.join(GAP).trimEnd());
}

function siteLine(site: SiteReport, layout: StatusLayout, { time }: Report): string {
  const state = presentState(site, time);
  const words = layout.isFull ? fullState(state) : briefState(state);
  const cells: Cell[] = [
    { text: column(site.site.name, layout.name) },
    { text: column(words, layout.state), colour: COLOURS[state.word] },
    ...[...layout.facts].map(([fact, width]): Cell => {
      const { text, colour } = STATUS_COLUMNS[fact].cell(site);
      return { text: aligned(text, fact, width), colour };
    }),
  ];
  const window = windowBack("day", time.epochMilliseconds, 0);
  const pulses = pulsesOf(site.evidence, window, layout.pulses);
  const painted = cells.map(({ text, colour = String }) => colour(text)).join(GAP);
  return `${state.mark} ${[painted, sparkline(pulses)].join(GAP)}`.trimEnd();
}

/** What is to be noticed; the others stand back. */
const COLOURS: Readonly<Partial<Record<PresentState["word"], Cell["colour"]>>> = {
  down: STATE_COLOURS.down,
  degraded: STATE_COLOURS.degraded,
  maintenance: STATE_COLOURS.maintenance,
  paused: paint.dim,
  unknown: STATE_COLOURS.unknown,
  "no data": paint.dim,
};

function aligned(text: string, fact: StatusColumnName, width: number): string {
  const { isText }: StatusColumn = STATUS_COLUMNS[fact];
  return isText ? column(text, width) : text.padStart(width);
}

/** A cell of the table: what stands in it, and how it is coloured. */
interface Cell {
  text: string;
  colour?: (text: string) => string;
}

/** A column of facts. */
interface StatusColumn {
  title: string;
  cell(site: SiteReport): Cell;
  /** Whether its cells stand at the left. */
  isText?: true;
  /** Whether it is left out where no site has anything in it. */
  isOptional?: true;
}

/** Below this share of a window, what is said of it needs to be taken with care. */
const ENOUGH = 0.99;

/** The facts about sites that a table may show, from left to right. */
const STATUS_COLUMNS = {
  day: uptime("day"),
  week: uptime("week"),
  month: uptime("month"),
  year: uptime("year"),
  p50: { title: "p50", cell: responseTime("p50") },
  p95: { title: "p95", cell: responseTime("p95") },
  target: { title: "SLO", cell: target, isOptional: true },
  budget: { title: "budget", cell: budget, isText: true, isOptional: true },
  known: { title: "known", cell: known, isText: true, isOptional: true },
} as const satisfies Record<string, StatusColumn>;

/** Name of a column of facts. */
type StatusColumnName = keyof typeof STATUS_COLUMNS;

/** Whether a column is shown at all: some are left out where no site has anything to say in them. */
function isNeeded(name: StatusColumnName, sites: readonly SiteReport[]): boolean {
  const { isOptional, cell }: StatusColumn = STATUS_COLUMNS[name];
  return isOptional !== true || sites.some((site) => cell(site).text !== "");
}

/** Whether so much of a window is known that what is said of it needs no explanation. */
function isKnown({ coverage }: Statistics): boolean {
  return coverage === undefined || coverage >= ENOUGH;
}

function uptime(name: Exclude<WindowName, "all">): StatusColumn {
  return {
    title: `up ${WINDOWS[name].short}`,
    cell: ({ statistics }) => measured(statistics[name].uptime, formatShare),
  };
}

function responseTime(name: "p50" | "p95"): StatusColumn["cell"] {
  return ({ statistics }) => measured(statistics.day.responseTimes?.[name], formatMilliseconds);
}

function measured(
  value: number | undefined,
  format: (value: number | undefined) => string,
): Cell {
  const text = format(value);
  return value === undefined ? { text, colour: paint.dim } : { text };
}

function target({ statistics }: SiteReport): Cell {
  const { objective } = statistics.month;
  return { text: objective === undefined ? "" : formatTarget(objective.target) };
}

/** What is left of the error budget of 30 days. */
function budget({ statistics }: SiteReport): Cell {
  const { isMet, left } = statistics.month.objective ?? { left: 0 };
  if (isMet === undefined) return { text: "" };
  return isMet
    ? { text: `${shortDuration(left)} left` }
    : { text: `${shortDuration(-left)} over`, colour: paint.red };
}

function known(site: SiteReport): Cell {
  const least = leastKnown(site);
  return least === undefined ? { text: "" } : { text: least, colour: paint.yellow };
}

/** The rolling window of which least is known, where that is not enough. */
function leastKnown({ statistics }: SiteReport): string | undefined {
  const lacking = FILE_WINDOW_NAMES.filter((name) => name !== "all" && !isKnown(statistics[name]));
  const coverage = (name: WindowName) => statistics[name].coverage ?? 0;
  const [least] = lacking.sort((one, other) => coverage(one) - coverage(other));
  return least === undefined
    ? undefined
    : `${formatCoverage(coverage(least))} ${WINDOWS[least].short}`;
}

/** The narrowest column of names, and the widest in which they are cut. */
const NAMES = { least: 12, most: 40 };

/** How wide what is shown of each site is, in columns of the terminal. */
interface StatusLayout {
  name: number;
  /** Of the state with how long it has been so. */
  state: number;
  /** Whether that is said in full. */
  isFull: boolean;
  facts: ReadonlyMap<StatusColumnName, number>;
  /** Pieces of the last 24 hours that are drawn; 0 where there is no room. */
  pulses: number;
}

/** One thing more that would be shown; the first of them matter most. */
type Wish =
  | { fact: StatusColumnName; beside?: StatusColumnName }
  | { pulses: number }
  | { name: number }
  | { state: "full" };

const WISHES: readonly Wish[] = [
  { fact: "day" },
  { fact: "month" },
  { pulses: 12 },
  { fact: "known" },
  { fact: "budget" },
  { fact: "p95" },
  { name: 20 },
  { pulses: 24 },
  { fact: "week" },
  { fact: "p50" },
  { fact: "year" },
  { name: NAMES.most },
  // By itself it would be taken for an uptime.
  { fact: "target", beside: "month" },
  { state: "full" },
  { pulses: 48 },
];

/** What fits into a terminal of a width: the most important first, and more where there is room. */
function statusLayout({ sites, time }: Report, columns: number): StatusLayout {
  const widest = (texts: readonly string[]) => Math.max(0, ...texts.map(textWidth));
  const states = sites.map((site) => presentState(site, time));
  const longestName = Math.max(4, widest(sites.map(({ site }) => site.name)));
  let layout: StatusLayout = {
    name: Math.min(longestName, NAMES.least),
    state: widest(states.map(briefState)),
    isFull: false,
    facts: new Map(),
    pulses: 0,
  };
  const fulfilled = (wish: Wish): StatusLayout => {
    if ("pulses" in wish) return { ...layout, pulses: wish.pulses };
    if ("name" in wish) return { ...layout, name: Math.min(longestName, wish.name) };
    if ("state" in wish) return { ...layout, isFull: true, state: widest(states.map(fullState)) };
    const { title, cell } = STATUS_COLUMNS[wish.fact];
    const width = widest([title, ...sites.map((site) => cell(site).text)]);
    return { ...layout, facts: new Map([...layout.facts, [wish.fact, width]]) };
  };
  for (const wish of WISHES) {
    if ("fact" in wish && !isNeeded(wish.fact, sites)) continue;
    if ("fact" in wish && wish.beside !== undefined && !layout.facts.has(wish.beside)) continue;
    const better = fulfilled(wish);
    if (widthOf(better) <= columns) layout = better;
  }
  const name = Math.min(longestName, layout.name + columns - widthOf(layout));
  const names = Object.keys(STATUS_COLUMNS) as StatusColumnName[];
  return {
    ...layout,
    // A terminal that is too narrow for all of it still shows which site is how.
    name: Math.max(4, name),
    facts: new Map(names.flatMap((name) => {
      const width = layout.facts.get(name);
      return width === undefined ? [] : [[name, width]];
    })),
  };
}

function widthOf({ name, state, facts, pulses }: StatusLayout): number {
  const widths = [name, state, ...facts.values(), ...pulses === 0 ? [] : [pulses]];
  return "✔ ".length + widths.reduce((sum, width) => sum + width + GAP.length, -GAP.length);
}

/** Milliseconds after which the last check is worth a word: no usual schedule leaves so much out. */
const OLD = 2 * HOUR;
/** From the worst on; a site that is up needs no word beside others. */
const NEWS = [
  "down",
  "degraded",
  "unknown",
  "maintenance",
  "paused",
  "no data",
] as const satisfies PresentState["word"][];

/**
 * How all sites are, in a sentence: `1 of 12 sites is down; last checked 10:05 UTC.`
 */
function statusSummary({ sites, time }: Report): string {
  if (sites.length === 0) return "There is nothing to monitor: the configuration has no sites.";
  const words = stateWords(sites.map((site) => presentState(site, time).word));
  const last = lastChecked(sites);
  if (last === undefined) {
    if (sites.some(isChecked)) return `${words}; no check has had a result yet.`;
    return `No data yet for ${
      countSites(sites.length)
    }: the command update makes the first checks.`;
  }
  const age = time.since(last).total("milliseconds");
  const old = age < OLD ? "" : paint.yellow(`, ${describeDuration(age)} ago`);
  return `${words}; last checked ${formatMinuteFrom(last, time)}${old}.`;
}

function lastChecked(sites: readonly SiteReport[]): Temporal.Instant | undefined {
  return sites.flatMap(({ lastCheck, record }) => record === undefined ? [] : lastCheck ?? [])
    .sort(Temporal.Instant.compare).at(-1);
}

function stateWords(words: readonly PresentState["word"][]): string {
  const total = words.length;
  const parts = NEWS.flatMap((word) => {
    const number = words.filter((one) => one === word).length;
    return number === 0 ? [] : [{ word, number }];
  });
  const [first, ...others] = parts;
  if (first === undefined) return total === 1 ? "The site is up" : `All ${total} sites are up`;
  if (total === 1) return `The site ${phrase(first.word, 1)}`;
  const rest = others.map(({ word, number }) => `, ${number} ${phrase(word, number)}`).join("");
  return first.number === total
    ? `All ${count(total, "site")} ${phrase(first.word, total)}`
    : `${first.number} of ${total} sites ${phrase(first.word, first.number)}${rest}`;
}

function phrase(word: typeof NEWS[number], number: number): string {
  const verb = number === 1 ? "is" : "are";
  if (word === "no data") return number === 1 ? "has no data yet" : "have no data yet";
  return word === "maintenance" ? `${verb} in maintenance` : `${verb} ${word}`;
}
