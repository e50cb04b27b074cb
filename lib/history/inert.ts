/**
 * A cell that no spreadsheet takes for a formula: a value that looks like one gets an apostrophe before it.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals(inert("=1+1"), "'=1+1");
 * assertEquals(readable(inert("'-shop")), "'-shop");
 * ```
 */
export function inert(cell: string): string {
  return /^'*[=+\-@\t]/.test(cell) ? `'${cell}` : cell;
}

/** The value of a cell that {@linkcode inert} made. */
export function readable(cell: string): string {
  return /^'+[=+\-@\t]/.test(cell) ? cell.slice(1) : cell;
}
