import type { Condition } from "../state.ts";
import { overlap, type Window } from "../history/windows.ts";
import type { GraphPoint, WindowGraph } from "../statistics/graph.ts";
import type { Interval } from "../statistics/timeline.ts";

/** A bucket of a graph, or several in one state without response times. */
export interface GraphRow {
  /** Milliseconds since 1970. */
  from: number;
  to: number;
  /** Absent if no check had a response time. */
  point?: GraphPoint;
  /** The median of each line of a location; absent if the graph has none. */
  lines?: readonly (number | undefined)[];
  /** Seconds in states other than up. */
  states: readonly (readonly [state: GraphState, seconds: number])[];
}

type GraphState = Exclude<Condition, "up"> | "maintenance" | "unknown";

const STATES: readonly GraphState[] = ["down", "degraded", "maintenance", "unknown"];

/** Converts a graph to rows: one for each point, and those between them in which the site was not up all the time. */
export function toGraphRows(
  { points, intervals, bucket, statistics: { window }, locations }: WindowGraph,
): GraphRow[] {
  const rows: GraphRow[] = [];
  const findPoint = createFinder(points, window.to);
  const finders = locations?.lines.map((line) => createFinder(line.points, window.to));
  let past = 0;
  for (let start = Math.floor(window.from / bucket) * bucket; start < window.to; start += bucket) {
    const piece = { from: Math.max(start, window.from), to: Math.min(start + bucket, window.to) };
    while (past < intervals.length && intervals[past]!.to <= piece.from) past++;
    const point = findPoint(piece);
    const states = sumStates(intervals, past, piece);
    const lines = finders?.map((find) => find(piece)?.median);
    const hasTimes = point !== undefined || lines?.some((median) => median !== undefined);
    if (!hasTimes && states.length === 0) continue;
    const last = rows.at(-1);
    if (!hasTimes && last?.to === piece.from && isSame(last, states)) {
      last.to = piece.to;
      last.states = [[states[0]![0], last.states[0]![1] + states[0]![1]]];
      continue;
    }
    rows.push({ ...piece, point, ...hasTimes && lines ? { lines } : {}, states });
  }
  return rows;
}

/** True if a row without response times and some states are wholly of one state. */
function isSame({ point, lines, states: [own, ...others] }: GraphRow, states: GraphRow["states"]) {
  return point === undefined && lines === undefined && own !== undefined && others.length === 0 &&
    states.length === 1 && own[0] === states[0]![0];
}

/** Returns a function that finds the point of each piece, ascending both. */
function createFinder<P extends { time: number }>(points: readonly P[], end: number) {
  let at = 0;
  return (piece: Window): P | undefined => {
    while (at < points.length && points[at]!.time < piece.from) at++;
    const point = points[at];
    // A point at the very end is that of the check made right now.
    const isOwn = point !== undefined && (point.time < piece.to || piece.to === end);
    return isOwn ? point : undefined;
  };
}

/** Sums the seconds of a piece by state, given the intervals and the first that may reach into it. */
function sumStates(
  intervals: readonly Interval[],
  first: number,
  piece: Window,
): GraphRow["states"] {
  const sums = new Map<GraphState, number>();
  for (let at = first; at < intervals.length && intervals[at]!.from < piece.to; at++) {
    const { state } = intervals[at]!;
    if (state !== "up") sums.set(state, (sums.get(state) ?? 0) + overlap(intervals[at]!, piece));
  }
  return STATES.filter((state) => sums.has(state)).map((state) => [state, sums.get(state)! / 1000]);
}
