import type { Condition } from "../state.ts";
import type { Graph } from "../statistics/graph.ts";
import { pieceLength } from "../statistics/graph_points.ts";
import { overlap } from "../statistics/windows.ts";

/** What a graph shows of one piece of its time. */
export interface GraphRow {
  /** Where it begins, in milliseconds since 1970. */
  from: number;
  /** Lowest and highest of the medians in it, and the highest p95, in milliseconds; absent where there are none. */
  median?: readonly [low: number, high: number];
  p95?: number;
  /** Seconds that it was in other states than up, without those in which it was not at all. */
  states: readonly (readonly [state: GraphState, seconds: number])[];
}

/** A state that stands behind the line of a graph. */
export type GraphState = Exclude<Condition, "up"> | "maintenance" | "unknown";

const STATES: readonly GraphState[] = ["down", "degraded", "maintenance", "unknown"];

/**
 * Everything that a graph shows in at most about `most` rows, by time: pieces of one length, but one row for
 * those that follow each other without response times in one state.
 */
export function graphRows(
  { points, spans, statistics: { window } }: Graph,
  most: number,
): { length: number; rows: GraphRow[] } {
  const length = pieceLength(window, most);
  const rows: GraphRow[] = [];
  let [point, span] = [0, 0];
  let told = -Infinity;
  for (let from = Math.floor(window.from / length) * length; from < window.to; from += length) {
    const piece = { from, to: from + length };
    const [medians, lates]: [number[], number[]] = [[], []];
    for (; point < points.length && points[point]!.time < piece.to; point++) {
      const { median, p95 } = points[point]!;
      medians.push(median);
      lates.push(p95 ?? median);
    }
    const seconds = new Map<string, number>();
    while (span < spans.length && spans[span]!.to <= from) span++;
    for (let at = span; at < spans.length && spans[at]!.from < piece.to; at++) {
      const { state } = spans[at]!;
      seconds.set(state, (seconds.get(state) ?? 0) + overlap(spans[at]!, piece) / 1000);
    }
    const states = STATES.flatMap((state) => {
      const length = seconds.get(state) ?? 0;
      return length === 0 ? [] : [[state, length] as const];
    });
    if (medians.length === 0 && states.length === 0) continue;
    const last = rows.at(-1);
    if (medians.length === 0 && last !== undefined && told === from && isOnly(last, states)) {
      const [[state, before], [, more]] = [last.states[0]!, states[0]!];
      last.states = [[state, before + more]];
      told = piece.to;
      continue;
    }
    told = piece.to;
    rows.push({
      from: Math.max(from, window.from),
      states,
      ...medians.length === 0 ? {} : {
        median: [Math.min(...medians), Math.max(...medians)] as const,
        p95: Math.max(...lates),
      },
    });
  }
  return { length, rows };
}

/** Whether a row tells of one state and nothing else, which is also all there is to tell of what follows. */
function isOnly(row: GraphRow, following: GraphRow["states"]): boolean {
  return row.median === undefined && row.states.length === 1 && following.length === 1 &&
    row.states[0]![0] === following[0]![0];
}
