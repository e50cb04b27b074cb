// @ts-types="@types/d3-scale"
import { scaleLinear } from "d3-scale";
import type { Graph } from "../../lib/statistics/graph.ts";
import { PLOT } from "./frame.ts";
import { round, svgText } from "./svg_text.ts";
import type { Theme } from "./themes.ts";

/** The axis of milliseconds. */
export interface ValueAxis {
  /** Pixel of a time in milliseconds. */
  y(milliseconds: number): number;
  /** Milliseconds, from 0; the last is the upper end. */
  ticks: readonly number[];
}

/** How many ticks are wanted beside the one at zero. */
const TICKS = 4;

/** An axis from zero to the round number above everything that is shown; absent where nothing is. */
export function valueAxis({ points }: Pick<Graph, "points">): ValueAxis | undefined {
  if (points.length === 0) return undefined;
  // Some room above, and never steps of less than a millisecond.
  const most = points.reduce((most, { median, p95 }) => Math.max(most, median, p95 ?? 0), 0);
  const scale = scaleLinear([0, Math.max(TICKS, most * 1.04)], [PLOT.bottom, PLOT.top]).nice(TICKS);
  return { y: (milliseconds) => round(scale(milliseconds)), ticks: scale.ticks(TICKS) };
}

const number = new Intl.NumberFormat("en");

/** Grid and figures of the axis; the grid alone where nothing is shown. */
export function drawValueAxis(axis: ValueAxis | undefined, theme: Theme): string {
  if (axis === undefined) return drawGrid([0.25, 0.5, 0.75, 1].map(heightAt), theme);
  const { ticks, y } = axis;
  const style = { size: 11, colour: theme.muted };
  const x = PLOT.left - 8;
  return [
    drawGrid(ticks.slice(1).map(y), theme),
    ...ticks.map((tick) =>
      svgText(number.format(tick), style, {
        x,
        y: y(tick) + 4,
        anchor: "end",
      })
    ),
    svgText("ms", style, { x, y: PLOT.top - 10, anchor: "end" }),
  ].join("");
}

function heightAt(share: number): number {
  return PLOT.bottom - share * (PLOT.bottom - PLOT.top);
}

function drawGrid(heights: readonly number[], theme: Theme): string {
  const path = heights.map((y) => `M${PLOT.left} ${Math.round(y) + 0.5}H${PLOT.right}`).join("");
  return `<path d="${path}" stroke="${theme.grid}"/>`;
}
