import { type Bar, type BarLevel, failedMinutes, toBarLevel } from "../statistics/report/bars.ts";
import type { State } from "../state.ts";

/** Height of a strip of bars in its own units, in which each bar is 1 wide. */
export const STRIP_HEIGHT = 26;

/** Between the color of a failure and that of "up" above it. */
const GAP = 2;
const STUB = 4;

/** Height of a failure by its duration; a long one has a gap instead of "up" above it. */
const FAILURE_HEIGHTS: Readonly<Record<"down" | "degraded", Record<BarLevel, number>>> = {
  down: { short: 9, medium: 16, long: STRIP_HEIGHT },
  degraded: { short: 9, medium: 9, long: 16 },
};

/** Top of the gap in a bar of full height. */
const NOTCH = 8;

const STRIPE = 4;
const STRIPES = [0, 5.5, 11, 16.5, 22];

interface Piece {
  state: State;
  y: number;
  height: number;
}

/**
 * Draws bars as one path for each state that occurs: the longer a failure, the taller its color, over that of "up".
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const up = { worst: "up", observed: 86_400, down: 0, degraded: 0, maintenance: 0 } as const;
 * const paths = drawStrip([up, up, { ...up, worst: "down", down: 180 }]);
 * assertEquals(paths.get("up"), "M0 0h2v26h-2zM2 0h1v15h-1z");
 * assertEquals(paths.get("down"), "M2 17h1v9h-1z");
 * ```
 */
export function drawStrip(bars: readonly Bar[]): Map<State, string> {
  const columns = bars.map(toPieces);
  const paths = new Map<State, string>();
  for (let x = 0, end: number; x < columns.length; x = end) {
    const key = JSON.stringify(columns[x]);
    end = x + 1;
    while (end < columns.length && JSON.stringify(columns[end]) === key) end++;
    for (const { state, y, height } of columns[x]!) {
      const path = `M${x} ${y}h${end - x}v${height}h-${end - x}z`;
      paths.set(state, (paths.get(state) ?? "") + path);
    }
  }
  return paths;
}

function toPieces(bar: Bar): Piece[] {
  const { worst: state } = bar;
  if (state === "up") return [{ state, y: 0, height: STRIP_HEIGHT }];
  if (state === "unknown") return [{ state, y: STRIP_HEIGHT - STUB, height: STUB }];
  if (state === "maintenance") return STRIPES.map((y) => ({ state, y, height: STRIPE }));
  const height = FAILURE_HEIGHTS[state][toBarLevel(failedMinutes(bar)!)];
  const y = STRIP_HEIGHT - height;
  if (y > 0) return [{ state: "up", y: 0, height: y - GAP }, { state, y, height }];
  const rest = NOTCH + GAP;
  return [{ state, y: 0, height: NOTCH }, { state, y: rest, height: STRIP_HEIGHT - rest }];
}

/**
 * Encodes bars for the script as repeated states with minutes of failure.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const up = { worst: "up", observed: 86_400, down: 0, degraded: 0, maintenance: 0 } as const;
 * assertEquals(encodeBars([up, up, { ...up, worst: "down", down: 720 }, up]), "2*up down12 up");
 * ```
 */
export function encodeBars(bars: readonly Bar[]): string {
  const words: [count: number, word: string][] = [];
  for (const bar of bars) {
    const word = `${bar.worst}${failedMinutes(bar) ?? ""}`;
    const last = words.at(-1);
    if (last?.[1] === word) last[0]++;
    else words.push([1, word]);
  }
  return words.map(([count, word]) => count === 1 ? word : `${count}*${word}`).join(" ");
}

/** The days that failed, the worst first: down before degraded before maintenance, each the longest first. */
export function sortWorstFirst<B extends Bar>(bars: readonly B[]): B[] {
  const rank = ({ worst }: B) => FAILURES.indexOf(worst);
  return bars.filter((bar) => rank(bar) >= 0).toSorted((one, other) =>
    rank(one) - rank(other) || failedMinutes(other)! - failedMinutes(one)!
  );
}

const FAILURES: readonly State[] = ["down", "degraded", "maintenance"];
