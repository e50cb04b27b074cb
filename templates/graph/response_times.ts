// @ts-types="@types/d3-shape"
import { area, line } from "d3-shape";
import type { Graph, GraphPoint } from "../../lib/statistics/graph.ts";
import { round } from "./svg_text.ts";
import type { Theme } from "./themes.ts";
import type { TimeAxis } from "./time_axis.ts";
import type { ValueAxis } from "./value_axis.ts";

/** A point whose piece holds several checks. */
type BandPoint = GraphPoint & { p95: number };

/** The medians as a line, or dots where nothing is joined, over a band that reaches up to p95. */
export function drawResponseTimes(
  { points }: Pick<Graph, "points">,
  { time, value }: { time: TimeAxis; value: ValueAxis },
  theme: Theme,
): string {
  const x = (point: GraphPoint) => round(time.x(point.time));
  const y = (point: GraphPoint) => value.y(point.median);
  const top = (point: BandPoint) => value.y(point.p95);
  const runs = runsOf(points);
  const bands = runs.flatMap(bandsOf);
  const [alone, wide] = [
    (run: readonly unknown[]) => run.length === 1,
    (run: readonly unknown[]) => run.length > 1,
  ];

  const band = bands.filter(wide).map(area<BandPoint>().digits(1).x(x).y0(y).y1(top)).join("");
  const bars = bands.filter(alone).map(([point]) =>
    `M${round(x(point!) - 1.5)} ${y(point!)}h3V${top(point!)}h-3Z`
  ).join("");
  const lines = runs.filter(wide).map(line<GraphPoint>().digits(1).x(x).y(y)).join("");
  const dots = runs.filter(alone).map(([point]) => `M${x(point!)} ${y(point!)}h0`).join("");
  const { fill, opacity } = theme.band;
  return [
    band + bars && `<path d="${band}${bars}" fill="${fill}" fill-opacity="${opacity}"/>`,
    lines &&
    `<path d="${lines}" fill="none" stroke="${theme.line}" stroke-width="1.75" stroke-linejoin="round" stroke-linecap="round"/>`,
    dots &&
    `<path d="${dots}" fill="none" stroke="${theme.line}" stroke-width="6" stroke-linecap="round"/>`,
  ].join("");
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
