/**
 * A text as Markdown that means nothing but itself: no markup, no link, no cell border.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals(inertMarkdown("a|b <script> `id`"), "a\\|b \\<script\\> \\`id\\`");
 * ```
 */
export function inertMarkdown(text: string): string {
  return text.replace(/[\\`*_[\]<>|~#!&:@$]/g, "\\$&");
}

/** A table of Markdown; numbers stand at the right. */
export function markdownTable(
  header: readonly string[],
  rows: readonly (readonly string[])[],
  numeric: readonly number[] = [],
): string {
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |\n`;
  const rule = header.map((_, index) => numeric.includes(index) ? "---:" : "---");
  return line(header) + line(rule) + rows.map(line).join("");
}
