import type { GraphTheme } from "../../lib/statistics/graphs/graph_files.ts";
import { PICTURE_COLORS } from "./colors.ts";

/** Room for the width of the line, in pixels. */
const INSET = 2;

/**
 * Path data of a line through values at equal distances, which leaves a gap where a value is missing; empty without
 * values. A value between gaps is a line of length 0, so strokes need round caps. The height stands for half of the
 * highest value at least, so that a line that hardly changes is flat, and in the middle. Whole pixels and relative
 * steps keep it short.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const size = { width: 40, height: 20 };
 * assertEquals(renderSparkline([100, 200, undefined, 150, undefined], size), "M2 18l9-16M29 10h0");
 * assertEquals(renderSparkline([undefined], size), "");
 * ```
 */
export function renderSparkline(
  values: readonly (number | undefined)[],
  { width, height }: { width: number; height: number },
): string {
  const known = values.filter((value) => value !== undefined);
  const [low, high] = [Math.min(...known), Math.max(...known)];
  const range = Math.max(high / 2, high - low);
  const middle = (low + high) / 2;
  const step = (width - 2 * INSET) / Math.max(1, values.length - 1);
  const points = values.map((value, index) => {
    if (value === undefined) return undefined;
    const share = range === 0 ? 0 : (value - middle) / range;
    return {
      x: Math.round(INSET + index * step),
      y: Math.round(height / 2 - share * (height - 2 * INSET)),
    };
  });
  return points.map((point, index) => {
    if (point === undefined) return "";
    const before = points[index - 1];
    if (before === undefined) {
      return `M${point.x} ${point.y}${points[index + 1] === undefined ? "h0" : ""}`;
    }
    const [right, down] = [point.x - before.x, point.y - before.y];
    // A letter stands for all steps until the next one.
    const letter = points[index - 2] === undefined ? "l" : " ";
    return `${letter}${right}${down < 0 ? "" : " "}${down}`;
  }).join("");
}

/** Size of the picture in the README, in pixels. */
export const SPARKLINE_SIZE = { width: 120, height: 20 };

/** An SVG of a sparkline, without any words. */
export function renderSparklinePicture(
  values: readonly (number | undefined)[],
  theme: GraphTheme,
): string {
  const { width, height } = SPARKLINE_SIZE;
  const path = renderSparkline(values, SPARKLINE_SIZE);
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">` +
    `<path d="${path}" fill="none" stroke="${PICTURE_COLORS[theme].accent}" stroke-width="1.5" ` +
    `stroke-linecap="round" stroke-linejoin="round"/></svg>\n`;
}
