import type { State } from "../../lib/state.ts";
import { type Window, windowBack, type WindowName } from "../../lib/history/windows.ts";
import type { Graph, GraphPoint } from "../../lib/statistics/graph.ts";
import type { Interval } from "../../lib/statistics/timeline.ts";
import { normal, type Random, seededRandom } from "./seeded_random.ts";
import { ENGLISH_LANGUAGE } from "../../lib/text/languages.ts";
import { renderGraph } from "../../templates/graph/graph_svg.ts";
import type { GraphTheme } from "../../lib/statistics/graphs/graph_files.ts";
import { noStatistics, REPORT_TIME, responseTimes, statistics } from "./reports.ts";

const NOW = REPORT_TIME.epochMilliseconds;
const MINUTE = 60_000;
/** All time of the tests, in days. */
const ALL_DAYS = 500;
/** Points of a window that is full. */
const POINTS = 264;

/** An event: its distance from the end of a window of 100, its duration, and its kind. */
type Event = readonly [before: number, length: number, state: State];

/** The contents of a test graph. */
interface Sketch {
  points: readonly GraphPoint[];
  intervals: readonly Interval[];
  uptime?: number;
}

/** Histories that graphs are looked at with, by name. */
export const SKETCHES: Readonly<Record<string, (window: Window, random: Random) => Sketch>> = {
  busy(window, random) {
    const intervals = intervalsOf(window, [[70, 0.1, "down"], [33, 4, "degraded"], [
      12,
      1.5,
      "down",
    ]]);
    return { intervals, points: pointsOf(window, intervals, random), uptime: 0.98412 };
  },
  empty: (window) => ({ points: [], intervals: intervalsOf(window, [[100, 100, "unknown"]]) }),
  "one-point": (window) => ({
    points: [{ time: window.to - MINUTE, median: 142, checks: 1, isJoined: false }],
    intervals: intervalsOf(window, [[100, 99.9, "unknown"]]),
    uptime: 1,
  }),
  "all-down": (window) => ({
    points: [],
    intervals: intervalsOf(window, [[100, 100, "down"]]),
    uptime: 0,
  }),
  gaps(window, random) {
    const unknown: Event[] = [[100, 22, "unknown"], [70, 9, "unknown"], [55, 3, "unknown"]];
    const more: Event[] = [[51, 1.4, "unknown"], [49, 6, "unknown"], [20, 12, "unknown"]];
    const intervals = intervalsOf(window, [...unknown, ...more, [42, 2, "down"]]);
    return { intervals, points: pointsOf(window, intervals, random), uptime: 0.9731 };
  },
  maintenance(window, random) {
    const times: Event[] = [[80, 0.2, "maintenance"], [60, 12, "maintenance"], [48, 1, "down"]];
    const intervals = intervalsOf(window, [...times, [20, 5, "degraded"], [15, 3, "maintenance"]]);
    return { intervals, points: pointsOf(window, intervals, random), uptime: 0.98999 };
  },
};

/** A graph of the tests, or with some of it changed. */
export function graph(sketch: string, name: WindowName, changes: Partial<Graph> = {}): Graph {
  const window = windowBack(name, NOW, NOW - ALL_DAYS * 24 * 60 * MINUTE);
  const { points, intervals, uptime } = SKETCHES[sketch]!(window, seededRandom(7));
  const medians = points.map(({ median }) => median);
  const mean = medians.reduce((sum, one) => sum + one, 0) / medians.length;
  return {
    name: "Wikipedia",
    window: name,
    timezone: "UTC",
    bucket: (window.to - window.from) / POINTS,
    points,
    intervals,
    statistics: uptime === undefined ? { ...noStatistics(name), window } : statistics(name, {
      window,
      uptime,
      responseTimes: points.length === 0
        ? undefined
        : responseTimes(mean, { p95: Math.max(...points.map(({ p95, median }) => p95 ?? median)) }),
    }),
    ...changes,
  };
}

function intervalsOf({ from, to }: Window, events: readonly Event[]): Interval[] {
  const percent = (to - from) / 100;
  return events.map(([before, length, state]) => ({
    from: to - before * percent,
    to: to - (before - length) * percent,
    state,
  }));
}

/** Response times of a day with rush hours. */
function pointsOf(
  { from, to }: Window,
  intervals: readonly Interval[],
  random: Random,
): GraphPoint[] {
  const step = (to - from) / POINTS;
  const points: GraphPoint[] = [];
  let isJoined = false;
  for (let index = 0; index < POINTS; index++) {
    const time = from + (index + 0.5) * step;
    const rush = 1 + 0.35 * Math.sin(index / POINTS * 6 * Math.PI);
    const median = Math.round(160 * rush * Math.exp(normal(random, 0, 0.12)));
    const p95 = Math.round(median * (1.25 + 0.4 * random()));
    const state = intervals.find((one) => one.from <= time && one.to > time)?.state;
    if (state === undefined || state === "degraded") {
      points.push({
        time,
        median: state ? median * 3 : median,
        p95: state ? p95 * 3 : p95,
        max: Math.round((state ? p95 * 3 : p95) * (1 + random() ** 9)),
        checks: 12,
        isJoined,
      });
    }
    isJoined = state === undefined || state === "degraded";
  }
  return points;
}

/** A graph as SVG, in English. */
export function drawGraph(graph: Graph, theme: GraphTheme): string {
  return renderGraph(graph, theme, ENGLISH_LANGUAGE);
}
