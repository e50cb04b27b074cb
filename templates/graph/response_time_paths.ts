// @ts-types="@types/d3-shape"
import { area, line } from "d3-shape";
import type { GraphPoint } from "../../lib/statistics/graph.ts";

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
  { x: xOf, y: yOf, half }: ResponseTimeScales,
): ResponseTimePaths {
  const x = (point: GraphPoint) => xOf(point.time);
  const y = (point: GraphPoint) => yOf(point.median);
  const top = (point: BandPoint) => yOf(point.p95);
  const runs = runsOf(points);
  const bands = runs.flatMap(bandsOf);
  const [alone, wide] = [
    (run: readonly unknown[]) => run.length === 1,
    (run: readonly unknown[]) => run.length > 1,
  ];
  const band = bands.filter(wide).map(area<BandPoint>().digits(1).x(x).y0(y).y1(top)).join("");
  const bars = bands.filter(alone).map(([point]) => {
    const left = Math.round((x(point!) - half) * 10) / 10;
    return `M${left} ${y(point!)}h${2 * half}V${top(point!)}h-${2 * half}Z`;
  }).join("");
  return {
    band: band + bars,
    line: runs.filter(wide).map(line<GraphPoint>().digits(1).x(x).y(y)).join(""),
    dots: runs.filter(alone).map(([point]) => `M${x(point!)} ${y(point!)}h0`).join(""),
  };
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
