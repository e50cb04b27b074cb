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
  for (let start = Math.floor(window.from / bucket) * bucket; start < window.to; start += bucket) {
    const piece = { from: Math.max(start, window.from), to: Math.min(start + bucket, window.to) };
    // A point at the very end is that of the check made right now.
    const isOwn = ({ time }: { time: number }) =>
      time >= piece.from && (time < piece.to || piece.to === window.to);
    const point = points.find(isOwn);
    const states = sumStates(intervals, piece);
    const lines = locations?.lines.map(({ points }) => points.find(isOwn)?.median);
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

function sumStates(intervals: readonly Interval[], piece: Window): GraphRow["states"] {
  const inside = intervals.filter(({ from, to }) => from < piece.to && to > piece.from);
  return STATES.flatMap((state) => {
    const own = inside.filter((one) => one.state === state);
    const seconds = own.reduce((sum, one) => sum + overlap(one, piece), 0) / 1000;
    return seconds === 0 ? [] : [[state, seconds] as const];
  });
}
