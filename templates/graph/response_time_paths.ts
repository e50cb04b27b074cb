import type { GraphPoint } from "../../lib/statistics/graph.ts";
import { round } from "./round.ts";

/** A point whose piece holds several checks. */
type BandPoint = GraphPoint & { p95: number };

/** What response times are drawn by: paths of SVG, each empty where there is nothing of it. */
export interface ResponseTimePaths {
  /** From the medians up to p95, to be filled. */
  band: string;
  /** Through the medians. */
  line: string;
  /** Medians that nothing is joined to, each a line of no length. */
  dots: string;
}

/** Where the points of a graph stand: coordinates with one decimal at most. */
export interface ResponseTimeScales {
  x(time: number): number;
  y(milliseconds: number): number;
  /** Half the width of the band of a point by itself. */
  half: number;
}

/** The medians as a line, or dots where nothing is joined, over a band that reaches up to p95. */
export function responseTimePaths(
  points: readonly GraphPoint[],
  { x, y, half }: ResponseTimeScales,
): ResponseTimePaths {
  const runs = runsOf(points);
  const bands = runs.flatMap(bandsOf);
  const median = ({ time, median }: GraphPoint) => `${x(time)},${y(median)}`;
  const late = ({ time, p95 }: BandPoint) => `${x(time)},${y(p95)}`;
  const areas = bands.filter(isLong).map((band) =>
    `M${[...band.map(late), ...band.map(median).reverse()].join("L")}Z`
  );
  const bars = bands.filter(isAlone).map(([{ time, median, p95 }]) =>
    `M${round(x(time) - half)} ${y(median)}h${2 * half}V${y(p95)}h-${2 * half}Z`
  );
  const lines = runs.filter(isLong).map((run) => `M${run.map(median).join("L")}`);
  const dots = runs.filter(isAlone).map(([{ time, median }]) => `M${x(time)} ${y(median)}h0`);
  return { band: [...areas, ...bars].join(""), line: lines.join(""), dots: dots.join("") };
}

function isLong(run: readonly unknown[]): boolean {
  return run.length > 1;
}

function isAlone<T>(run: readonly T[]): run is [T] {
  return run.length === 1;
}

/** Points that a line may run through. */
function runsOf(points: readonly GraphPoint[]): GraphPoint[][] {
  const runs: GraphPoint[][] = [];
  for (const point of points) {
    if (point.isJoined && runs.length > 0) runs.at(-1)!.push(point);
    else runs.push([point]);
  }
  return runs;
}

/** Neighbours of a run that have a p95. */
function bandsOf(run: readonly GraphPoint[]): BandPoint[][] {
  const bands: BandPoint[][] = [[]];
  for (const point of run) {
    if (point.p95 === undefined) bands.push([]);
    else bands.at(-1)!.push(point as BandPoint);
  }
  return bands.filter(({ length }) => length > 0);
}
