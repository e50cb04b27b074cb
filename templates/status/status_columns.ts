import { paint } from "../../lib/text/paint.ts";
import type { SiteReport } from "../../lib/statistics/report/report.ts";
import type { Statistics } from "../../lib/statistics/statistics.ts";
import { FILE_WINDOW_NAMES, type WindowName, WINDOWS } from "../../lib/history/windows.ts";
import { formatMilliseconds, formatShare, formatTarget, shortDuration } from "../measures.ts";

/** A cell of the table: what stands in it, and how it is coloured. */
export interface Cell {
  text: string;
  colour?: (text: string) => string;
}

/** A column of facts. */
export interface StatusColumn {
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
export const STATUS_COLUMNS = {
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
export type StatusColumnName = keyof typeof STATUS_COLUMNS;

/** Whether a column is shown at all: some are left out where no site has anything to say in them. */
export function isNeeded(name: StatusColumnName, sites: readonly SiteReport[]): boolean {
  const { isOptional, cell }: StatusColumn = STATUS_COLUMNS[name];
  return isOptional !== true || sites.some((site) => cell(site).text !== "");
}

/** Whether so much of a window is known that what is said of it needs no explanation. */
export function isKnown({ coverage }: Statistics): boolean {
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

/**
 * A share of a window that is known, in whole percent and never all of it.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals([0.6249, 0.997, 0.001, 0, 1].map(formatCoverage), ["62%", "99%", "<1%", "0%", "100%"]);
 * ```
 */
export function formatCoverage(share: number): string {
  if (share > 0 && share < 0.01) return "<1%";
  return `${Math.floor(share * 100 + 1e-9)}%`;
}
