import type { Graph } from "../../lib/statistics/graph.ts";
import { formatMilliseconds } from "../words.ts";
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

/**
 * A share in percent, rounded down to two digits: what was not always up is never called 100%.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals([1, 0.99999, 0.5, 0].map(formatShare), ["100%", "99.99%", "50.00%", "0%"]);
 * assertEquals(formatShare(undefined), "–");
 * ```
 */
export function formatShare(share: number | undefined): string {
  if (share === undefined) return "–";
  if (share === 0 || share === 1) return `${share * 100}%`;
  return `${(Math.floor(share * 10_000 + 1e-6) / 100).toFixed(2)}%`;
}
