import type { Config } from "../config/config.ts";
import { DAY, HOUR, MINUTE } from "../time.ts";
import { findCheck, findDay } from "../history/site_history.ts";
import { Histogram } from "../history/histogram.ts";
import type { Window, WindowName } from "../history/windows.ts";
import type { SiteReport } from "./report/report.ts";
import { percentile } from "./response_times.ts";
import { computeIntervals } from "./rolled_days.ts";
import type { Samples } from "./samples.ts";
import type { Statistics } from "./statistics.ts";
import type { Interval } from "./timeline.ts";

/** Response times of one bucket of a graph. */
export interface GraphPoint {
  /** Middle of its checks, in milliseconds since 1970. */
  time: number;
  /** Milliseconds. */
  median: number;
  /** Milliseconds; absent if the bucket has a single check. */
  p95?: number;
  /** Milliseconds of the slowest check; absent if the bucket has a single one. */
  max?: number;
  /** True if a line may be drawn from the point before: nothing lies between that the line would hide. */
  isJoined: boolean;
}

export interface Graph {
  name: string;
  window: WindowName;
  /** Zone of the ticks, such as `Europe/Berlin`. */
  timezone: string;
  points: readonly GraphPoint[];
  /** The background: `down`, `degraded`, `maintenance` and `unknown`, ascending and without overlaps. */
  intervals: readonly Interval[];
  statistics: Statistics;
}

/** More points than this can't be distinguished. */
const MAX_POINTS = 200;

/** An interval shorter than this share of a graph is too narrow to be seen. */
const NARROW = 1 / 500;

const BUCKETS = [
  ...[5 * MINUTE, 10 * MINUTE, 30 * MINUTE, HOUR, 2 * HOUR, 4 * HOUR, 12 * HOUR],
  ...[DAY, 2 * DAY, 4 * DAY, 7 * DAY, 14 * DAY, 28 * DAY],
];

/** The longest window whose days all have single checks. */
const MAX_SINGLE = 8 * DAY;

/** Computes the graph of a site in a window, of about `points` points at most. */
export function computeGraph(
  { site, samples, statistics }: Pick<SiteReport, "site" | "samples" | "statistics">,
  name: WindowName,
  { timezone, points = MAX_POINTS }: Pick<Config, "timezone"> & { points?: number },
): Graph {
  const { window } = statistics[name];
  const intervals = computeIntervals(samples, window);
  return {
    name: site.name,
    window: name,
    timezone,
    points: joinPoints(computePoints(samples, window, points), intervals, window),
    intervals: intervals.filter(({ state }) => state !== "up"),
    statistics: statistics[name],
  };
}

/**
 * Length of the buckets of a window so that there are about `count` of them at most, in milliseconds; they
 * start at multiples of it. Windows that contain rolled-up days have no shorter ones than days.
 */
export function bucketLength({ from, to }: Window, count: number): number {
  const shortest = to - from > MAX_SINGLE ? DAY : 0;
  return BUCKETS.find((length) => length >= shortest && (to - from) / length <= count) ??
    BUCKETS.at(-1)!;
}

type Point = Omit<GraphPoint, "isJoined">;

/** The points of a window: one for each of its buckets that has a successful check. */
function computePoints({ checks, days }: Samples, window: Window, count: number): Point[] {
  const { from, to } = window;
  const length = bucketLength(window, count);
  const points: Point[] = [];
  let check = findCheck(checks, from);
  let day = findDay(days, from - DAY / 2);
  for (let start = Math.floor(from / length) * length; start < to; start += length) {
    const end = Math.min(to, start + length);
    const [firstCheck, firstDay] = [check, day];
    while (check < checks.length && checks[check]!.time < end) check++;
    while (day < days.length && days[day]!.from < end - DAY / 2) day++;
    const single = checks.slice(firstCheck, check).filter(({ ms }) => ms !== undefined);
    const rolled = days.slice(firstDay, day).map(({ responseTimes }) => responseTimes)
      .filter((times) => times.count > 0);
    if (single.length + rolled.length === 0) continue;
    // Totals represent the whole bucket; single checks may fill a part of it.
    const middle = rolled.length > 0
      ? length / 2
      : single.reduce((sum, { time }) => sum + time - start, 0) / single.length;
    const time = Math.min(to, Math.max(from, start + middle));
    const values = Float64Array.from(single.map(({ ms }) => ms!)).sort();
    const max = Math.max(values.at(-1) ?? 0, ...rolled.map((times) => times.max));
    if (rolled.length > 0) {
      const histogram = new Histogram();
      for (const value of values) histogram.add(value);
      histogram.addText(rolled.map((times) => times.histogram).join(" "));
      const median = histogram.quantile(0.5) ?? 0;
      points.push({ time, median, p95: histogram.quantile(0.95), max });
    } else {
      const median = percentile(values, 0.5);
      points.push(
        values.length === 1
          ? { time, median }
          : { time, median, p95: percentile(values, 0.95), max },
      );
    }
  }
  return points;
}

function joinPoints(
  points: readonly Point[],
  intervals: readonly Interval[],
  { from, to }: Window,
): GraphPoint[] {
  const narrow = (to - from) * NARROW;
  const gaps = intervals.filter((one) =>
    one.state !== "up" && one.state !== "degraded" && one.to - one.from >= narrow
  );
  return points.map((point, index) => {
    const before = points[index - 1]?.time;
    if (before === undefined) return { ...point, isJoined: false };
    const gap = gaps.find((one) => one.to > before + narrow);
    return { ...point, isJoined: gap === undefined || gap.from >= point.time };
  });
}
