import type { Condition } from "../state.ts";
import { overlap, type Window } from "../history/windows.ts";
import { bucketLength, type Graph } from "../statistics/graph.ts";
import type { Interval } from "../statistics/timeline.ts";

/** A piece of a graph's time, by its start in milliseconds since 1970. */
export interface GraphRow {
  from: number;
  /** The range of the medians, and the highest p95, in milliseconds. */
  median?: readonly [low: number, high: number];
  p95?: number;
  /** Seconds in states other than up. */
  states: readonly (readonly [state: GraphState, seconds: number])[];
}

type GraphState = Exclude<Condition, "up"> | "maintenance" | "unknown";

const STATES: readonly GraphState[] = ["down", "degraded", "maintenance", "unknown"];

/**
 * Converts a graph to at most about `most` rows of equal length; consecutive rows in one state without response
 * times are merged.
 */
export function toGraphRows(
  { points, intervals, statistics: { window } }: Graph,
  most: number,
): { length: number; rows: GraphRow[] } {
  const length = bucketLength(window, most);
  const rows: GraphRow[] = [];
  let [point, interval] = [0, 0];
  let covered = -Infinity;
  for (let from = Math.floor(window.from / length) * length; from < window.to; from += length) {
    const piece = { from, to: from + length };
    const first = point;
    while (point < points.length && points[point]!.time < piece.to) point++;
    while (interval < intervals.length && intervals[interval]!.to <= from) interval++;
    const states = statesIn(intervals, interval, piece);
    if (first === point && states.length === 0) continue;
    const last = rows.at(-1);
    if (first === point && last !== undefined && covered === from && isOnly(last, states)) {
      const [[state, before], [, more]] = [last.states[0]!, states[0]!];
      last.states = [[state, before + more]];
      covered = piece.to;
      continue;
    }
    covered = piece.to;
    const row = { from: Math.max(from, window.from), states };
    rows.push(first === point ? row : withTimes(row, points, [first, point]));
  }
  return { length, rows };
}

/** The states of a piece of time, given the first interval that ends in it or later. */
function statesIn(
  intervals: readonly Interval[],
  first: number,
  piece: Window,
): GraphRow["states"] {
  const seconds = new Map<string, number>();
  for (let at = first; at < intervals.length && intervals[at]!.from < piece.to; at++) {
    const { state } = intervals[at]!;
    seconds.set(state, (seconds.get(state) ?? 0) + overlap(intervals[at]!, piece) / 1000);
  }
  if (seconds.size === 0) return [];
  return STATES.flatMap((state) => {
    const length = seconds.get(state) ?? 0;
    return length === 0 ? [] : [[state, length] as const];
  });
}

/** Adds the response times of the points from `first` to `end`. */
function withTimes(
  { from, states }: GraphRow,
  points: Graph["points"],
  [first, end]: readonly [number, number],
): GraphRow {
  let low = Infinity;
  let high = -Infinity;
  let p95 = -Infinity;
  for (let index = first; index < end; index++) {
    const { median, p95: late = median } = points[index]!;
    low = Math.min(low, median);
    high = Math.max(high, median);
    p95 = Math.max(p95, late);
  }
  return { from, states, median: [low, high], p95 };
}

function isOnly(row: GraphRow, following: GraphRow["states"]): boolean {
  return row.median === undefined && row.states.length === 1 && following.length === 1 &&
    row.states[0]![0] === following[0]![0];
}
