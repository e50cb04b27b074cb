import type { Graph } from "../../lib/statistics/graph.ts";
import { PLOT } from "./frame.ts";
import { svgText, type TextStyle, widthOf } from "./svg_text.ts";
import type { Theme } from "./themes.ts";

/** Says in the middle of a graph why there is no line. */
export function drawAbsence({ statistics: { observed } }: Graph, theme: Theme): string {
  const words = observed === 0 ? "No data" : "No response times";
  const style: TextStyle = { size: 14, colour: theme.muted };
  const width = Math.ceil(widthOf(words, style)) + 28;
  const [x, y] = [(PLOT.left + PLOT.right) / 2, (PLOT.top + PLOT.bottom) / 2];
  return `<rect x="${x - width / 2}" y="${y - 16}" width="${width}" height="32" rx="6" ` +
    `fill="${theme.background}"/>` + svgText(words, style, { x, y: y + 5, anchor: "middle" });
}
