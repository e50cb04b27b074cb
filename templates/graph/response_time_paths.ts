import type { GraphPoint } from "../../lib/statistics/graph.ts";
import { round } from "./round.ts";

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
