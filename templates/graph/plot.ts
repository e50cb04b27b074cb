import type { State } from "../../lib/state.ts";
import type { Span } from "../../lib/statistics/span.ts";
import type { Window } from "../../lib/history/windows.ts";
// @ts-types="@types/d3-scale"
import { scaleLinear } from "d3-scale";
import type { GraphPoint } from "../../lib/statistics/graph.ts";
import { round } from "./style.ts";

/** States that are drawn, each over those before it. */
export const DRAWN_STATES = [
  "unknown",
  "maintenance",
  "degraded",
  "down",
] as const satisfies State[];

/** A state that is drawn. */
export type DrawnState = typeof DRAWN_STATES[number];

/** Columns of a picture in one state; `right` is not part of it. */
interface Stretch {
  left: number;
  right: number;
  state: DrawnState;
}

/** Columns that spans are drawn in. */
export interface Columns {
  window: Window;
  /** The column of a moment, with fractions. */
  x(time: number): number;
  left: number;
  right: number;
  /** Columns that even the shortest time gets; one in which nothing is known has to be seen by itself. */
  narrowest: number;
}

/** Whole columns, of which each shows the worst of its states. */
export function stretchesOf(
  spans: readonly Span[],
  { window, x, left: first, right: end, narrowest }: Columns,
): Stretch[] {
  const columns: (DrawnState | undefined)[] = Array(end).fill(undefined);
  for (const state of DRAWN_STATES) {
    for (const span of spans) {
      if (span.state !== state || span.to <= window.from || span.from >= window.to) continue;
      const left = Math.max(first, Math.floor(x(span.from)));
      const to = state === "unknown" ? Math.floor(x(span.to)) : Math.ceil(x(span.to));
      const least = state === "unknown" ? 0 : narrowest;
      const right = Math.min(end, Math.max(to, left + least));
      columns.fill(state, Math.min(left, end - least), right);
    }
  }
  const stretches: Stretch[] = [];
  for (let left = first; left < end;) {
    const state = columns[left];
    let right = left + 1;
    while (right < end && columns[right] === state) right++;
    if (state !== undefined) stretches.push({ left, right, state });
    left = right;
  }
  return stretches;
}

/** The axis of milliseconds. */
export interface ValueAxis {
  /** Pixel of a time in milliseconds. */
  y(milliseconds: number): number;
  /** Milliseconds, from 0, with equal steps; the last is the upper end. */
  ticks: readonly number[];
}

/** How many ticks are wanted beside the one at zero. */
const TICKS = 4;

/** An axis from zero to the round number above everything that is shown; absent where nothing is. Its ends are pixels. */
export function valueScale(
  points: readonly GraphPoint[],
  { top, bottom }: { top: number; bottom: number },
): ValueAxis | undefined {
  if (points.length === 0) return undefined;
  // Some room above, and never steps of less than a millisecond.
  const most = points.reduce((most, { median, p95 }) => Math.max(most, median, p95 ?? 0), 0);
  const scale = scaleLinear([0, Math.max(TICKS, most * 1.04)], [bottom, top]).nice(TICKS);
  return { y: (milliseconds) => round(scale(milliseconds)), ticks: scale.ticks(TICKS) };
}

/** What response times are drawn by: paths of SVG, each empty where there is nothing of it. */
interface ResponseTimePaths {
  /** From the medians up to p95, to be filled. */
  band: string;
  /** Through the medians. */
  line: string;
  /** Medians that nothing is joined to, each a line of no length. */
  dots: string;
}

/** Where the points of a graph stand: coordinates with one decimal at most. */
interface ResponseTimeScales {
  x(time: number): number;
  y(milliseconds: number): number;
  /** Half the width of the band of a point by itself. */
  half: number;
}

/** Where a point of a graph stands, in coordinates. */
interface Place {
  x: number;
  median: number;
  p95?: number;
  isJoined: boolean;
}

/** One whose piece holds several checks. */
type BandPlace = Place & { p95: number };

/** The medians as a line, or dots where nothing is joined, over a band that reaches up to p95. */
export function responseTimePaths(
  points: readonly GraphPoint[],
  { x, y, half }: ResponseTimeScales,
): ResponseTimePaths {
  const runs = runsOf(points.map(({ time, median, p95, isJoined }): Place => ({
    x: x(time),
    median: y(median),
    p95: p95 === undefined ? undefined : y(p95),
    isJoined,
  })));
  const bands = runs.flatMap(bandsOf);
  const areas = bands.filter(isLong).map((band) =>
    `M${[...band.map(late), ...band.map(middle).reverse()].join("L")}Z`
  );
  const bars = bands.filter(isAlone).map(([{ x, median, p95 }]) =>
    `M${round(x - half)} ${median}h${2 * half}V${p95}h-${2 * half}Z`
  );
  const lines = runs.filter(isLong).map((run) => `M${run.map(middle).join("L")}`);
  const dots = runs.filter(isAlone).map(([{ x, median }]) => `M${x} ${median}h0`);
  return { band: [...areas, ...bars].join(""), line: lines.join(""), dots: dots.join("") };
}

function middle({ x, median }: Place): string {
  return `${x},${median}`;
}

function late({ x, p95 }: BandPlace): string {
  return `${x},${p95}`;
}

function isLong(run: readonly unknown[]): boolean {
  return run.length > 1;
}

function isAlone<T>(run: readonly T[]): run is [T] {
  return run.length === 1;
}

/** Points that a line may run through. */
function runsOf(places: readonly Place[]): Place[][] {
  const runs: Place[][] = [];
  for (const place of places) {
    if (place.isJoined && runs.length > 0) runs.at(-1)!.push(place);
    else runs.push([place]);
  }
  return runs;
}

/** Neighbours of a run that have a p95. */
function bandsOf(run: readonly Place[]): BandPlace[][] {
  const bands: BandPlace[][] = [[]];
  for (const place of run) {
    if (place.p95 === undefined) bands.push([]);
    else bands.at(-1)!.push(place as BandPlace);
  }
  return bands.filter(({ length }) => length > 0);
}
