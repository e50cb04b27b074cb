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
  /** The same range for each line of a location; absent if the graph has none. */
  lines?: readonly (GraphRow["median"])[];
  /** Seconds in states other than up. */
  states: readonly (readonly [state: GraphState, seconds: number])[];
}

type GraphState = Exclude<Condition, "up"> | "maintenance" | "unknown";

const STATES: readonly GraphState[] = ["down", "degraded", "maintenance", "unknown"];

/** Converts a graph to about `most` equal rows; consecutive rows in one state without response times are merged. */
export function toGraphRows(
  { points, intervals, statistics: { window }, locations }: Graph,
  most: number,
): { length: number; rows: GraphRow[] } {
  const length = bucketLength(window, most);
  const rows: GraphRow[] = [];
  let covered = -Infinity;
  for (let from = Math.floor(window.from / length) * length; from < window.to; from += length) {
    const piece = { from, to: from + length };
    const isOwn = ({ time }: { time: number }) => time >= from && time < piece.to;
    const own = points.filter(isOwn);
    const states = sumStates(intervals, piece);
    if (own.length === 0 && states.length === 0) continue;
    const last = rows.at(-1);
    const [state, ...more] = states;
    const before = last?.median === undefined && last?.states.length === 1
      ? last.states[0]
      : undefined;
    const isSame = own.length === 0 && more.length === 0 && before?.[0] === state?.[0];
    if (last && before && state && isSame && covered === from) {
      last.states = [[before[0], before[1] + state[1]]];
    } else {
      const lines = locations?.lines.map((line) => findRange(line.points.filter(isOwn)));
      const row = { from: Math.max(from, window.from), states, ...summarizeTimes(own) };
      rows.push(lines === undefined ? row : { ...row, lines });
    }
    covered = piece.to;
  }
  return { length, rows };
}

function sumStates(intervals: readonly Interval[], piece: Window): GraphRow["states"] {
  return STATES.flatMap((state) => {
    const own = intervals.filter((one) => one.state === state);
    const seconds = own.reduce((sum, one) => sum + overlap(one, piece), 0) / 1000;
    return seconds === 0 ? [] : [[state, seconds] as const];
  });
}

function summarizeTimes(points: Graph["points"]): Pick<GraphRow, "median" | "p95"> {
  if (points.length === 0) return {};
  return {
    median: findRange(points),
    p95: Math.max(...points.map(({ median, p95 = median }) => p95)),
  };
}

function findRange(points: readonly { median: number }[]): GraphRow["median"] {
  const medians = points.map(({ median }) => median);
  return medians.length === 0 ? undefined : [Math.min(...medians), Math.max(...medians)];
}
