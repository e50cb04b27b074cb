import type { Config } from "../config/config.ts";
import { DAY, HOUR, MINUTE } from "../time.ts";
import { type Check, findCheck, findDay, findFrom } from "../history/site_history.ts";
import type { MeasuredTimes } from "../history/older_times.ts";
import { Histogram } from "../history/histogram.ts";
import type { Window, WindowName } from "../history/windows.ts";
import { type LocationReport, sortSlowestFirst } from "./report/location_reports.ts";
import type { SiteReport } from "./report/report.ts";
import { measure } from "./measure.ts";
import { percentile } from "./response_times.ts";
import { addDays, computeIntervals } from "./rolled_days.ts";
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
  /** Number of its checks that have a response time. */
  checks: number;
  /** True if a line may be drawn from the point before: nothing lies between that the line would hide. */
  isJoined: boolean;
}

/** The response times as seen from one location: medians. */
interface LocationLine {
  name: string;
  points: readonly Pick<GraphPoint, "time" | "median" | "isJoined">[];
}

/** The response times as seen from the locations of a site. */
export interface LocationLines {
  /** The slowest first, at most {@linkcode MOST_LINES}. */
  lines: readonly LocationLine[];
  /** Number of faster locations, which have no line. */
  others: number;
  /** Points of the site as a whole before the first of a location. */
  earlier: readonly GraphPoint[];
}

/** A graph of any window. */
export interface WindowGraph {
  name: string;
  /** Zone of the ticks, such as `Europe/Berlin`. */
  timezone: string;
  /** Length of a bucket in milliseconds; buckets start at its multiples. */
  bucket: number;
  points: readonly GraphPoint[];
  /** The background: `down`, `degraded`, `maintenance` and `unknown`, ascending and without overlaps. */
  intervals: readonly Interval[];
  statistics: Statistics;
  /** Absent if the site has no locations, or none of them has a response time. */
  locations?: LocationLines;
}

export interface Graph extends WindowGraph {
  window: WindowName;
}

/** More lines than this can't be distinguished. */
const MOST_LINES = 6;

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

/**
 * Computes the graph of a site in a window, of about `points` points at most; of half as many if it has lines of
 * locations, because they cross each other.
 */
export function computeGraph(
  { site, samples, statistics, locations }: Pick<
    SiteReport,
    "site" | "samples" | "statistics" | "locations"
  >,
  name: WindowName,
  { timezone, points = MAX_POINTS }: Pick<Config, "timezone"> & { points?: number },
): Graph {
  const { window } = statistics[name];
  const bucket = bucketLength(window, locations === undefined ? points : points / 2);
  const intervals = computeIntervals(samples, window);
  const own = joinPoints(computePoints(samples, window, bucket), intervals, window);
  return {
    name: site.name,
    window: name,
    timezone,
    bucket,
    points: own,
    intervals: intervals.filter(({ state }) => state !== "up"),
    statistics: statistics[name],
    ...locations === undefined
      ? {}
      : { locations: computeLines(locations, name, { window, bucket, own }) },
  };
}

/**
 * Computes the graph of single checks around an incident, without lines of locations; `undefined` if there are none from
 * its start on, or none has a response time. `older` are those of days whose checks are no longer among the samples.
 */
export function computeDetail(
  { site, samples }: Pick<SiteReport, "site" | "samples">,
  { window, start, older }: {
    window: Window;
    /** Milliseconds since 1970. */
    start: number;
    older: MeasuredTimes;
  },
  { timezone, points }: Pick<Config, "timezone"> & { points: number },
): WindowGraph | undefined {
  // Nearly all incidents are older than the checks that are kept.
  const first = samples.checks[0]?.time ?? Infinity;
  if (!(Math.min(first, older.times[0] ?? Infinity) <= start)) return undefined;
  const { times, ms } = older;
  const end = findFrom(times, Math.min(first, window.to), (time) => time);
  const before: Check[] = [];
  for (let index = findFrom(times, window.from, (time) => time); index < end; index++) {
    before.push({ time: times[index]!, ms: ms[index]!, state: "up", isImported: false });
  }
  const { checks } = samples;
  const recent = checks.slice(findCheck(checks, window.from), findCheck(checks, window.to));
  const single = { ...samples, checks: [...before, ...recent], days: [] };
  const length = window.to - window.from;
  const bucket = BUCKETS.find((one) => length / one <= points) ?? BUCKETS.at(-1)!;
  const intervals = computeIntervals(samples, window);
  const joined = joinPoints(computePoints(single, window, bucket), intervals, window);
  return joined.length === 0 ? undefined : {
    ...{ name: site.name, timezone, bucket, points: joined },
    intervals: intervals.filter(({ state }) => state !== "up"),
    statistics: measure(single, window, site),
  };
}

function computeLines(
  locations: readonly LocationReport[],
  name: WindowName,
  { window, bucket, own }: { window: Window; bucket: number; own: readonly GraphPoint[] },
): LocationLines | undefined {
  const measured = sortSlowestFirst(locations, name)
    .filter(({ statistics }) => statistics[name].responseTimes !== undefined);
  const lines = measured.slice(0, MOST_LINES).map(({ name, samples }): LocationLine => {
    const all = computePoints(samples, window, bucket);
    const joined = joinPoints(all, computeIntervals(samples, window), window);
    return {
      name,
      points: joined.map(({ time, median, isJoined }) => ({ time, median, isJoined })),
    };
  }).filter(({ points }) => points.length > 0);
  if (lines.length === 0) return undefined;
  const start = Math.min(...lines.map(({ points }) => points[0]!.time)) - bucket;
  return {
    lines,
    others: measured.length - lines.length,
    earlier: own.filter(({ time }) => time < start),
  };
}

/**
 * Length of the buckets of a window so that there are about `count` of them at most, in milliseconds; they
 * start at multiples of it. Windows that contain rolled-up days have no shorter ones than days.
 */
function bucketLength({ from, to }: Window, count: number): number {
  const shortest = to - from > MAX_SINGLE ? DAY : 0;
  return BUCKETS.find((length) => length >= shortest && (to - from) / length <= count) ??
    BUCKETS.at(-1)!;
}

type Point = Omit<GraphPoint, "isJoined">;

/** The points of a window: one for each of its buckets that has a successful check. */
function computePoints({ checks, days }: Samples, window: Window, length: number): Point[] {
  const { from, to } = window;
  const points: Point[] = [];
  let check = findCheck(checks, from);
  let day = findDay(days, from - DAY / 2);
  for (let start = Math.floor(from / length) * length; start < to; start += length) {
    const end = Math.min(to, start + length);
    const [firstCheck, firstDay] = [check, day];
    while (check < checks.length && checks[check]!.time < end) check++;
    while (day < days.length && days[day]!.from < end - DAY / 2) day++;
    const single: number[] = [];
    let [sum, max, number] = [0, 0, 0];
    for (let index = firstCheck; index < check; index++) {
      const { time, ms } = checks[index]!;
      if (ms === undefined) continue;
      single.push(ms);
      sum += time - start;
      max = Math.max(max, ms);
    }
    let hasTotals = false;
    for (let index = firstDay; index < day; index++) {
      const { responseTimes } = days[index]!;
      if (responseTimes.count === 0) continue;
      number += responseTimes.count;
      max = Math.max(max, responseTimes.max);
      hasTotals = true;
    }
    number += single.length;
    if (number === 0) continue;
    // Totals represent the whole bucket; single checks may fill a part of it.
    const middle = hasTotals ? length / 2 : sum / single.length;
    const time = Math.min(to, Math.max(from, start + middle));
    if (hasTotals) {
      const histogram = new Histogram();
      addDays(histogram, days, firstDay, day);
      for (const value of single) histogram.add(value);
      const median = histogram.quantile(0.5) ?? 0;
      points.push({ time, median, p95: histogram.quantile(0.95), max, checks: number });
    } else {
      const values = new Float64Array(single).sort();
      const median = percentile(values, 0.5);
      points.push(
        number === 1
          ? { time, median, checks: 1 }
          : { time, median, p95: percentile(values, 0.95), max, checks: number },
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
