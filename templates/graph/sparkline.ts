import { round } from "./style.ts";

/** Room for the width of the line, in pixels. */
const INSET = 2;

/**
 * Path data of a line through values at equal distances, which leaves a gap where a value is missing; empty without
 * values. A value between gaps is a line of length 0, so strokes need round caps. The height stands for half of the
 * highest value at least, so that a line that hardly changes is flat, and in the middle.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const size = { width: 40, height: 20 };
 * assertEquals(renderSparkline([100, 200, undefined, 150, undefined], size), "M2 18L11 2M29 10h0");
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
  const place = (value: number, index: number) => {
    const share = range === 0 ? 0.5 : 0.5 + (value - middle) / range;
    return `${round(INSET + index * step)} ${round(height - INSET - share * (height - 2 * INSET))}`;
  };
  return values.map((value, index) => {
    if (value === undefined) return "";
    if (values[index - 1] !== undefined) return `L${place(value, index)}`;
    return `M${place(value, index)}${values[index + 1] === undefined ? "h0" : ""}`;
  }).join("");
}
