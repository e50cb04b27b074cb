import { PLOT } from "./frame.ts";
import { svgText } from "./svg_text.ts";
import type { Theme } from "./themes.ts";
import type { ValueAxis } from "./value_scale.ts";

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
