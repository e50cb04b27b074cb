// @ts-types="@types/d3-scale"
import { scaleLinear } from "d3-scale";
import type { GraphPoint } from "../../lib/statistics/graph.ts";
import { round } from "./round.ts";

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
