/**
 * The value below which this share of all lies.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals([percentile([3, 1, 2], 0.5), percentile([3, 1, 2], 0.99)], [2, 3]);
 * ```
 */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? NaN;
}

export function median(values: readonly number[]): number {
  return percentile(values, 0.5);
}

/**
 * Lines of a table: the first row is its head, columns of figures are right-aligned.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const rows = [["what", "took"], ["one", "5 ms"], ["a thousand", "12 ms"]];
 * assertEquals(tableLines(rows), [
 *   "what         took",
 *   "──────────  ─────",
 *   "one          5 ms",
 *   "a thousand  12 ms",
 * ]);
 * ```
 */
export function tableLines([head, ...rows]: readonly (readonly string[])[]): string[] {
  const widths = head!.map((title, column) =>
    Math.max(title.length, ...rows.map((row) => row[column]!.length))
  );
  const line = (cells: readonly string[]) =>
    cells.map((cell, column) =>
      column === 0 ? cell.padEnd(widths[column]!) : cell.padStart(widths[column]!)
    ).join("  ").trimEnd();
  return [line(head!), widths.map((width) => "─".repeat(width)).join("  "), ...rows.map(line)];
}

/** A figure next to its limit. */
export function against(figure: number, aim: number, unit = ""): string {
  return `${figure <= aim ? "✓" : "✗"} ≤ ${aim}${unit}`;
}
