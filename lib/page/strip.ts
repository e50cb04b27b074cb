import { type Bar, type BarLevel, failedMinutes, toBarLevel } from "../statistics/report/bars.ts";
import { isProblem, PROBLEMS } from "../state.ts";

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

/** Paths in the order in which they are drawn: failures are over "up", from which gaps in the color of the card part them. */
const LAYERS = ["unknown", "up", "gap", "down", "degraded", "maintenance"] as const;

type Layer = typeof LAYERS[number];

interface Piece {
  layer: Layer;
  y: number;
  height: number;
}

/**
 * Draws bars as one path for each state that occurs, and one for gaps: the longer a failure, the taller its color,
 * over that of "up".
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const up = { worst: "up", observed: 86_400, down: 0, degraded: 0, maintenance: 0 } as const;
 * const paths = drawStrip([up, up, { ...up, worst: "down", down: 180 }]);
 * assertEquals([...paths], [["up", "M0 0h3v26h-3z"], ["gap", "M2 15h1v2h-1z"], ["down", "M2 17h1v9h-1z"]]);
 * ```
 */
export function drawStrip(bars: readonly Bar[]): Map<Layer, string> {
  const columns = bars.map(toPieces);
  const draw = (layer: Layer) => {
    let path = "";
    const pieces = columns.map((column) => column.filter((one) => one.layer === layer));
    for (let x = 0, end: number; x < pieces.length; x = end) {
      const key = JSON.stringify(pieces[x]);
      end = x + 1;
      while (end < pieces.length && JSON.stringify(pieces[end]) === key) end++;
      for (const { y, height } of pieces[x]!) {
        path += `M${x} ${y}h${end - x}v${height}h-${end - x}z`;
      }
    }
    return path;
  };
  const paths = LAYERS.map((layer) => [layer, draw(layer)] as const);
  return new Map(paths.filter(([, path]) => path !== ""));
}

function toPieces(bar: Bar): Piece[] {
  const { worst } = bar;
  if (worst === "unknown") return [{ layer: worst, y: STRIP_HEIGHT - STUB, height: STUB }];
  const whole = { y: 0, height: STRIP_HEIGHT };
  const up: Piece = { layer: "up", ...whole };
  if (worst === "up") return [up];
  if (worst === "maintenance") {
    return [
      up,
      { layer: "gap", ...whole },
      ...STRIPES.map((y) => ({
        layer: worst,
        y,
        height: STRIPE,
      })),
    ];
  }
  const height = FAILURE_HEIGHTS[worst][toBarLevel(failedMinutes(bar)!)];
  const y = STRIP_HEIGHT - height;
  const gap = (top: number): Piece => ({ layer: "gap", y: top, height: GAP });
  if (y > 0) return [up, gap(y - GAP), { layer: worst, y, height }];
  const rest = NOTCH + GAP;
  return [
    up,
    gap(NOTCH),
    { layer: worst, y: 0, height: NOTCH },
    { layer: worst, y: rest, height: STRIP_HEIGHT - rest },
  ];
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
  const rank = ({ worst }: B) => PROBLEMS.findIndex((state) => state === worst);
  return bars.filter(({ worst }) => isProblem(worst)).toSorted((one, other) =>
    rank(one) - rank(other) || failedMinutes(other)! - failedMinutes(one)!
  );
}
