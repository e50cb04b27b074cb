import type { Config } from "../config/config.ts";
import { isSuccess, STATES } from "../state.ts";
import { DAY, HOUR, MINUTE } from "../time.ts";
import type { Evidence } from "./evidence.ts";
import { firstAtOrAfter } from "./first_at_or_after.ts";
import type { Graph, GraphPoint } from "./graph.ts";
import { Histogram } from "./histogram.ts";
import type { SiteReport } from "../report/report.ts";
import { rankOf } from "./response_times.ts";
import { selectRank } from "./select_rank.ts";
import type { Span } from "./span.ts";
import { spansIn } from "./spans_in.ts";
import type { Window, WindowName } from "./windows.ts";

/** Lengths of the pieces a graph may be cut into, in milliseconds. */
const PIECES = [
  5 * MINUTE,
  10 * MINUTE,
  30 * MINUTE,
  HOUR,
  2 * HOUR,
  4 * HOUR,
  12 * HOUR,
  DAY,
  2 * DAY,
  4 * DAY,
  7 * DAY,
  14 * DAY,
  28 * DAY,
];

/** More pieces than this can't be told apart. */
const MOST_PIECES = 200;

/** Length of the pieces that a window is cut into so that there are about `most` of them at most, in milliseconds; they begin at multiples of it. */
export function pieceLength({ from, to }: Window, most: number): number {
  return PIECES.find((piece) => (to - from) / piece <= most) ?? PIECES.at(-1)!;
}

/** How a graph is made. */
export interface GraphOptions extends Pick<Config, "timezone"> {
  /** About how many points it has at most. */
  points?: number;
}

/** What is shorter than this share of a graph is too narrow to be seen. */
const NARROW = 1 / 500;

/** What the graph of a site in a window shows. */
export function graphOf(
  { site, evidence, statistics }: Pick<SiteReport, "site" | "evidence" | "statistics">,
  name: WindowName,
  { timezone, points = MOST_PIECES }: GraphOptions,
): Graph {
  const { window } = statistics[name];
  const spans = spansIn(evidence, window);
  return {
    name: site.name,
    window: name,
    timezone,
    points: joined(pointsOf(evidence, window, points), spans, window),
    spans: spans.filter(({ state }) => state !== "up"),
    statistics: statistics[name],
  };
}

/** Response times of one piece of time while they are gathered. */
interface Piece {
  /** Where its values begin among those of the window, and how many they are. */
  first: number;
  count: number;
  /** Sum of the moments that its values are of, each counted from its begin. */
  moments: number;
  /** Days of which only the totals are known. */
  histograms: string[];
}

function pointsOf(
  { checks: { times, states, durations }, days }: Evidence,
  window: Window,
  most: number,
): Omit<GraphPoint, "isJoined">[] {
  const { from, to } = window;
  const length = pieceLength(window, most);
  const pieces = new Map<number, Piece>();
  const values = new Float64Array(times.length);
  let gathered = 0;
  let last: Piece & { begin: number } | undefined;
  // Most moments lie in the piece of the one before.
  const pieceAt = (moment: number) => {
    const begin = Math.floor(moment / length) * length;
    if (last?.begin === begin) return last;
    last = {
      begin,
      ...pieces.get(begin) ?? { first: gathered, count: 0, moments: 0, histograms: [] },
    };
    pieces.set(begin, last);
    return last;
  };
  const end = firstAtOrAfter(times, to);
  for (let index = firstAtOrAfter(times, from); index < end; index++) {
    const value = durations[index]!;
    if (!isSuccess(STATES[states[index]!]!) || Number.isNaN(value)) continue;
    const piece = pieceAt(times[index]!);
    values[gathered++] = value;
    piece.count++;
    piece.moments += times[index]! % length;
  }
  for (const { from: begin, totals: { responseTimes } } of days) {
    const middle = begin + DAY / 2;
    if (middle < from || middle >= to || responseTimes.count === 0) continue;
    pieceAt(middle).histograms.push(responseTimes.histogram);
  }
  return [...pieces].sort(([one], [other]) => one - other).map(([begin, piece]) => ({
    time: Math.min(to, Math.max(from, begin + middleTime(piece, length))),
    ...middleOf(piece, values.subarray(piece.first, piece.first + piece.count)),
  }));
}

/** Where in a piece its values stand: an outage may fill the rest of it. */
function middleTime({ count, moments, histograms }: Piece, length: number): number {
  return histograms.length > 0 ? length / 2 : moments / count;
}

/** Changes the order of the values. */
function middleOf(
  { histograms }: Piece,
  values: Float64Array,
): Pick<GraphPoint, "median" | "p95"> {
  if (histograms.length === 0) {
    const median = selectRank(values, rankOf(values.length, 0.5) - 1);
    if (values.length === 1) return { median };
    return { median, p95: selectRank(values, rankOf(values.length, 0.95) - 1) };
  }
  const histogram = new Histogram();
  for (const text of histograms) histogram.addText(text);
  for (const value of values) histogram.add(value);
  return { median: histogram.quantile(0.5) ?? 0, p95: histogram.quantile(0.95) };
}

/** Joins points between which a line hides nothing. */
function joined(
  points: readonly Omit<GraphPoint, "isJoined">[],
  spans: readonly Span[],
  { from, to }: Window,
): GraphPoint[] {
  const narrow = (to - from) * NARROW;
  const walls = spans.filter(({ state, ...span }) =>
    state !== "up" && state !== "degraded" && span.to - span.from >= narrow
  );
  let next = 0;
  return points.map((point, index) => {
    const before = points[index - 1]?.time;
    if (before === undefined) return { ...point, isJoined: false };
    while (next < walls.length && walls[next]!.to <= before + narrow) next++;
    const wall = walls[next];
    return { ...point, isJoined: wall === undefined || wall.from >= point.time };
  });
}
