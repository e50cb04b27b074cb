export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(sorted.length / 2) - 1)] ?? NaN;
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
