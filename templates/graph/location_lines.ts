import type { GraphPoint, LocationLines } from "../../lib/statistics/graph.ts";
import { plainText } from "../../lib/text/plain_text.ts";
import { toPaths } from "./plot.ts";
import { measureText, round, svgText, type TextStyle, type Theme } from "./style.ts";

/** Strokes and gaps of the lines, in pixels: they differ without their colors. */
export const DASHES = ["", "7 3", "2 2.5", "11 3 2 3", "5 5", "2 5"] as const;

/** Points that the axis of milliseconds has to hold. */
export function listLinePoints({ lines, earlier }: LocationLines): GraphPoint[] {
  return [...earlier, ...lines.flatMap(({ points }) => points)];
}

/** Draws the lines, the slowest over the others. */
export function renderLines(
  { lines }: LocationLines,
  { x, y }: { x(time: number): number; y(milliseconds: number): number },
  theme: Theme,
): string {
  const at = (time: number) => round(x(time));
  return lines.map(({ points }, index) => {
    const { line, dots } = toPaths(points, { x: at, y, half: 0 });
    const stroke = `fill="none" stroke="${theme.lines[index]}"`;
    return [
      line && `<path d="${line}" ${stroke} ${lineStyle(index)}/>`,
      dots && `<path d="${dots}" ${stroke} stroke-width="5" stroke-linecap="round"/>`,
    ].join("");
  }).toReversed().join("");
}

function lineStyle(index: number): string {
  const dash = DASHES[index] ? ` stroke-dasharray="${DASHES[index]}"` : "";
  return `stroke-width="1.75" stroke-linejoin="round"${dash}`;
}

const STYLE = { size: 11 };
const ROW = 18;
/** Base line of the first row. */
const FIRST = 76;
const SAMPLE = 18;
const GAP = 14;
/** Three of the longest names fit into a row, so that six and the rest need two. */
const LONGEST = 120;

/** Names the lines, the slowest first, in rows; `height` is what they take in pixels. */
export function renderLegend(
  { lines, others }: LocationLines,
  theme: Theme,
  { left, right }: { left: number; right: number },
): { svg: string; height: number } {
  const style: TextStyle = { ...STYLE, color: theme.muted };
  let [x, row] = [left, 0];
  const advance = (width: number) => {
    if (x > left && x + width > right) [x, row] = [left, row + 1];
    const place = { x, y: FIRST + row * ROW };
    x += width + GAP;
    return place;
  };
  const names = lines.map(({ name }, index) => {
    const text = plainText(name);
    const width = SAMPLE + 5 + Math.min(LONGEST, Math.ceil(measureText(text, style)));
    const place = advance(width);
    const sample = `<path d="M${place.x} ${place.y - 4}h${SAMPLE}" ` +
      `stroke="${theme.lines[index]}" ${lineStyle(index)}/>`;
    return sample + svgText(text, style, { x: place.x + SAMPLE + 5, y: place.y, width: LONGEST });
  });
  const rest = `and ${others} more`;
  if (others > 0) names.push(svgText(rest, style, advance(measureText(rest, style))));
  return { svg: names.join(""), height: (row + 1) * ROW };
}
