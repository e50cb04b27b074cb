import { parse } from "@std/csv/parse";
import { stringify } from "@std/csv/stringify";

/**
 * Reads the rows of a log: yields the cells of each line in the order of `columns`, those that the log lacks
 * as `undefined`. The first line is the header if it names the first two of the columns; without a header the
 * columns are ours. A line never contains a line break, so a damaged line harms no other: the last one without
 * its end and those with an unclosed quote are skipped.
 *
 * Hundreds of thousands of lines go through this: only those with quotes reach the CSV parser.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const text = 'state,slug,error\nup,shop,\ndown,"a, b",no answer\nup,bl';
 * const rows = [...readRows(text, ["slug", "state", "error"])];
 * assertEquals(rows, [["shop", "up", ""], ["a, b", "down", "no answer"]]);
 * ```
 */
export function* readRows(
  text: string,
  columns: readonly string[],
): Generator<readonly (string | undefined)[]> {
  const lines = text.replace(/^\ufeff/, "").replaceAll("\r\n", "\n").split("\n").slice(0, -1);
  const header = lines[0]?.split(",") ?? [];
  const hasHeader = columns.slice(0, 2).every((name) => header.includes(name));
  const isOurs = !hasHeader || header.join() === columns.join();
  const places = columns.map((name) => header.indexOf(name));
  const hasQuotes = text.includes('"');
  for (let index = hasHeader ? 1 : 0; index < lines.length; index++) {
    const cells = hasQuotes ? splitLine(lines[index]!) : lines[index]!.split(",");
    yield isOurs ? cells : places.map((place) => cells[place]);
  }
}

function splitLine(line: string): string[] {
  if (!line.includes('"')) return line.split(",");
  const isClosed = line.split('"').length % 2 === 1;
  return isClosed ? parse(line, { lazyQuotes: true })[0] ?? [] : [];
}

/** The text of lines, each with its end. */
export function formatLines(rows: readonly (readonly string[])[]): string {
  return rows.length === 0 ? "" : stringify(rows, { headers: false }).replaceAll("\r\n", "\n");
}

/**
 * Escapes a cell so that no spreadsheet takes it for a formula: a value that looks like one gets an
 * apostrophe before it.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals(escapeCell("=1+1"), "'=1+1");
 * assertEquals(unescapeCell("'-shop"), "-shop");
 * ```
 */
export function escapeCell(cell: string): string {
  return /^'*[=+\-@\t]/.test(cell) ? `'${cell}` : cell;
}

/** The value of a cell that {@linkcode escapeCell} made. */
export function unescapeCell(cell: string): string {
  return cell.startsWith("'") && /^'+[=+\-@\t]/.test(cell) ? cell.slice(1) : cell;
}
