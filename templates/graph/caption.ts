import type { Graph } from "../../lib/statistics/graph.ts";
import { formatMilliseconds, formatShare } from "../measures.ts";
import { HEIGHT, MARGIN } from "./frame.ts";
import { svgText, type TextStyle, widthOf } from "./svg_text.ts";
import type { Theme } from "./themes.ts";

/** Pixels between a word and its figure, and between two figures. */
const GAP = 5;
const BETWEEN = 24;

/** Mean, p95 and uptime of the window. */
export function drawCaption({ statistics }: Graph, theme: Theme): string {
  const { responseTimes, uptime } = statistics;
  const word: TextStyle = { size: 12, colour: theme.muted };
  const figure: TextStyle = { size: 13, weight: "semibold", colour: theme.text };
  const y = HEIGHT - 18;
  let x = MARGIN;
  return [
    ["mean", formatMilliseconds(responseTimes?.mean)],
    ["p95", formatMilliseconds(responseTimes?.p95)],
    ["uptime", formatShare(uptime)],
  ].map(([name, value]) => {
    const at = x + widthOf(name!, word) + GAP;
    const drawn = svgText(name!, word, { x, y }) + svgText(value!, figure, { x: at, y });
    x = at + widthOf(value!, figure) + BETWEEN;
    return drawn;
  }).join("");
}
