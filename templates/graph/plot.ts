import type { Window } from "../../lib/history/windows.ts";
import type { GraphPoint, WindowGraph } from "../../lib/statistics/graph.ts";
import type { Interval } from "../../lib/statistics/timeline.ts";
import type { State } from "../../lib/state.ts";
import { HOUR } from "../../lib/time.ts";
import { round } from "./style.ts";

/** States drawn behind the line, each over those before it. */
export const DRAWN_STATES = [
  "unknown",
  "maintenance",
  "degraded",
  "down",
] as const satisfies State[];
export type DrawnState = typeof DRAWN_STATES[number];

/** Hatches of 8 x 8: states differ without their colors. */
export const HATCHES: Readonly<Record<Exclude<DrawnState, "down">, string>> = {
  degraded: "M2 0v8M6 0v8",
  maintenance: "M-2 2l4-4M0 8l8-8M6 10l4-4",
  unknown: "M2 2h1M6 6h1",
};

/** The window of a graph, which is at least an hour long. */
export function toPlottedWindow({ from, to }: Window): Window {
  return { from: Math.min(from, to - HOUR), to };
}

/** The area of a plot, with its left upper corner at 0, 0. */
interface Frame {
  width: number;
  height: number;
  /** Units of height per pixel. */
  unit: number;
  /** Rounds a coordinate: whole numbers keep paths short. */
  round(value: number): number;
}

/**
 * A path of a plot; locations have `l0` to `l5`, `dots` are lines of length 0 in the color of their line, and `clipped`
 * are marks at the top, of points above the axis.
 */
export interface Shape {
  part:
    | DrawnState
    | "grid"
    | "band"
    | "peaks"
    | "line"
    | "dots"
    | `l${number}`
    | `l${number} dots`
    | "clipped";
  path: string;
}

/** A graph without words: what page and picture draw, each with its own colors. */
export interface Plot {
  window: Window;
  /** In the order in which they are drawn; those without anything to draw are absent. */
  shapes: readonly Shape[];
  /** The times of the states behind the line, ascending, as they are drawn. */
  stretches: readonly Stretch[];
  /** Milliseconds at the lines of the grid, from 0 up; absent without response times. */
  values?: readonly { value: number; y: number }[];
  x(time: number): number;
  /** Absent without response times; the top for what is above the axis. */
  y?(milliseconds: number): number;
}

/** A part of the time in one state, in units of the frame. */
interface Stretch {
  left: number;
  right: number;
  state: DrawnState;
}

/** Half of the width of a band around a single point. */
const HALF = 2;
/** Half of the width of a mark, in units, and its height in pixels. */
const MARK = { half: 4, height: 7 } as const;

export function computePlot(graph: WindowGraph, frame: Frame): Plot {
  const { locations } = graph;
  const { width, height, unit } = frame;
  const window = toPlottedWindow(graph.statistics.window);
  const at = (time: number) => (time - window.from) / (window.to - window.from) * width;
  const x = (time: number) => frame.round(at(time));
  const points = locations?.earlier ?? graph.points;
  const lines = locations?.lines ?? [];
  const all = [...points, ...lines.flatMap(({ points }) => points)];
  const end = computeAxisEnd(all);
  const y = (value: number) => frame.round(height - Math.min(1, value / (end ?? 1)) * height);
  const values = Array.from({ length: STEPS + 1 }, (_, index) => {
    const value = index / STEPS * (end ?? 1);
    return { value, y: y(value) };
  });
  // In the middle of a pixel, lines are sharp.
  const grid = values.map(({ y }) => `M0 ${(Math.floor(y / unit) + 0.5) * unit}H${width}`);
  const stretches = toStretches(graph.intervals, { window, at, width });
  const paths = toPaths(points, { x, y });
  const shapes: Shape[] = [
    { part: "grid", path: grid.join("") },
    ...DRAWN_STATES.map((state) => ({
      part: state,
      path: stretches.filter((one) => one.state === state)
        .map(({ left, right }) => `M${left} 0H${right}V${height}H${left}Z`).join(""),
    })),
    { part: "band", path: paths.band },
    { part: "peaks", path: toPeaks(points, { x, y, unit }) },
    { part: "line", path: paths.line },
    { part: "dots", path: paths.dots },
    ...lines.flatMap(({ points }, index): Shape[] => {
      const { line, dots } = toPaths(points, { x, y });
      return [{ part: `l${index} dots`, path: dots }, { part: `l${index}`, path: line }];
    }).toReversed(),
    {
      part: "clipped",
      path: all.filter((one) => toSlowest(one) > (end ?? 0))
        .map(({ time }) => `M${x(time)} 0l${MARK.half} ${MARK.height * unit}h-${2 * MARK.half}z`)
        .join(""),
    },
  ];
  return {
    window,
    shapes: shapes.filter(({ path }) => path !== ""),
    stretches,
    x,
    ...end === undefined ? {} : { values, y },
  };
}

/** Units of a column: the shortest outage is as wide. */
const COLUMN = 2;

/** Converts intervals to whole columns in the worst state, known ones at least one column wide. */
function toStretches(
  intervals: readonly Interval[],
  { window, at, width }: { window: Window; at(time: number): number; width: number },
): Stretch[] {
  const end = Math.floor(width / COLUMN);
  const columns: (DrawnState | undefined)[] = Array(end).fill(undefined);
  for (const state of DRAWN_STATES) {
    for (const { from, to, state: own } of intervals) {
      if (own !== state || to <= window.from || from >= window.to) continue;
      const isUnknown = state === "unknown";
      const least = isUnknown ? 0 : 1;
      const left = Math.max(0, Math.floor(at(from) / COLUMN));
      const until = isUnknown ? Math.floor(at(to) / COLUMN) : Math.ceil(at(to) / COLUMN);
      const right = Math.min(end, Math.max(until, left + least));
      columns.fill(state, Math.min(left, end - least), right);
    }
  }
  const stretches: Stretch[] = [];
  for (let left = 0; left < end;) {
    const state = columns[left];
    let right = left + 1;
    while (right < end && columns[right] === state) right++;
    if (state !== undefined) {
      stretches.push({ left: left * COLUMN, right: right * COLUMN, state });
    }
    left = right;
  }
  return stretches;
}

/** Parts of the axis of milliseconds. */
const STEPS = 3;
/** Mantissas of the lengths that such a part may have. */
const ROUND = [1, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10];

/** A maximum that is more than so many times the 98th percentile of the points would flatten all of them. */
const MOST_TIMES = 4;
/** None of fewer points is an outlier. */
const FEW = 10;

/**
 * The upper end of an axis from zero: three times a round number, above all points but outliers; `undefined` if there
 * are none.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const end = (median: number) => computeAxisEnd([{ median }]);
 * assertEquals([0, 3, 142, 410, 45_000].map(end), [3, 6, 150, 450, 60_000]);
 * assertEquals(computeAxisEnd([{ median: 142, p95: 200, max: 800 }]), 900);
 * assertEquals(computeAxisEnd([]), undefined);
 * const of = (count: number, max: number) => computeAxisEnd([...Array(count).fill({ median: 142 }), { median: 142, max }]);
 * assertEquals([of(89, 500), of(89, 600), of(29, 5000), of(5, 5000)], [600, 150, 150, 6000]);
 * ```
 */
export function computeAxisEnd(points: readonly Measured[]): number | undefined {
  if (points.length === 0) return undefined;
  const ascending = new Float64Array(points.map(toSlowest)).sort();
  const late = ascending[Math.floor(0.98 * (ascending.length - 1))]!;
  const slowest = ascending.at(-1)!;
  const isOutlier = ascending.length >= FEW && slowest > MOST_TIMES * late;
  const most = isOutlier ? late : slowest;
  // At least a millisecond for each part, and some room above.
  const least = Math.max(1, most * 1.03 / STEPS);
  const power = 10 ** Math.floor(Math.log10(least));
  // Halves of milliseconds can't be labeled.
  const step = ROUND.map((one) => one * power).find((one) => one >= least && one % 1 === 0);
  return STEPS * (step ?? 10 * power);
}

type Measured = Pick<GraphPoint, "median" | "max">;

function toSlowest({ median, max }: Measured): number {
  return max ?? median;
}

/** Functions from time and milliseconds to units of the frame. */
interface Scales {
  x(time: number): number;
  y(milliseconds: number): number;
}

type Place = readonly [x: number, y: number];

/** Draws points in runs of joined ones: medians, and the area up to p95. */
function toPaths(
  points: readonly Pick<GraphPoint, "time" | "median" | "p95" | "isJoined">[],
  { x, y }: Scales,
): { band: string; line: string; dots: string } {
  const paths = { band: "", line: "", dots: "" };
  for (const run of splitBefore(points, ({ isJoined }) => !isJoined)) {
    const medians = run.map(({ time, median }): Place => [x(time), y(median)]);
    if (run.length > 1) paths.line += toLine(medians);
    else paths.dots += `${toLine(medians)}h0`;
    const bands = splitBefore(run, ({ p95 }) => p95 === undefined)
      .map((band) => band.filter(({ p95 }) => p95 !== undefined));
    for (const band of bands) {
      const upper = band.map(({ time, p95 }): Place => [x(time), y(p95!)]);
      const lower = band.map(({ time, median }): Place => [x(time), y(median)]).reverse();
      if (band.length > 1) paths.band += `${toLine([...upper, ...lower])}z`;
      else if (band.length > 0) paths.band += toColumn(lower[0]!, upper[0]![1]);
    }
  }
  return paths;
}

/** A line by its steps, which are shorter than places and repeat. */
function toLine(places: readonly Place[]): string {
  const [[x, y], ...others] = places as [Place, ...Place[]];
  let [left, top] = [x, y];
  const steps = others.map(([right, bottom]) => {
    const step = `${round(right - left)},${round(bottom - top)}`;
    [left, top] = [right, bottom];
    return step;
  });
  return `M${x} ${y}${steps.length > 0 ? `l${steps.join(" ")}` : ""}`;
}

function toColumn([x, y]: Place, top: number): string {
  return `M${round(x - HALF)} ${y}h${2 * HALF}V${top}h-${2 * HALF}z`;
}

/** Lines from p95 to the slowest check, if they are longer than a pixel. */
function toPeaks(points: readonly GraphPoint[], { x, y, unit }: Scales & { unit: number }): string {
  return points.flatMap(({ time, p95, max }) =>
    max === undefined || p95 === undefined || y(p95) - y(max) < unit
      ? []
      : [`M${x(time)} ${y(p95)}v${round(y(max) - y(p95))}`]
  ).join("");
}

function splitBefore<T>(all: readonly T[], isStart: (one: T) => boolean): T[][] {
  const parts: T[][] = [];
  for (const one of all) {
    if (parts.length === 0 || isStart(one)) parts.push([]);
    parts.at(-1)!.push(one);
  }
  return parts;
}
