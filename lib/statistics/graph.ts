import type { Span } from "./span.ts";
import type { Statistics } from "./statistics.ts";
import type { WindowName } from "../history/windows.ts";

/** Response times of one piece of a graph's time. */
export interface GraphPoint {
  /** Middle of what the piece holds, in milliseconds since 1970. */
  time: number;
  /** Milliseconds. */
  median: number;
  /** Milliseconds; absent where the piece holds a single check. */
  p95?: number;
  /** Milliseconds of the slowest check; absent where the piece holds a single one. */
  max?: number;
  /** Whether a line may be drawn from the point before: nothing lies between that the line would hide. */
  isJoined: boolean;
}

/** Everything that a graph of response times shows. */
export interface Graph {
  /** Name of the site. */
  name: string;
  window: WindowName;
  /** Zone of the ticks, such as `Europe/Berlin`. */
  timezone: string;
  points: readonly GraphPoint[];
  /** What stands behind the line: `down`, `degraded`, `maintenance` and `unknown`, by time, without overlaps. */
  spans: readonly Span[];
  statistics: Statistics;
}
