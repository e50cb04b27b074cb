import { parse } from "@std/csv/parse";
import { stringify } from "@std/csv/stringify";

/** The columns of a log, in our order. */
interface LogColumns {
  all: readonly string[];
  /** Those without which a line is no row. */
  keys: readonly string[];
}

/**
 * Reads the rows of a log: yields the cells of each line in the order of `columns`, those that the log lacks
 * as `undefined`. A header counts from its line on, and the first one also for the rows above it; without
 * any, the columns are ours. A line never contains a line break, so a damaged line harms no other: the last
 * one without its end and those with an unclosed quote are skipped.
 *
 * This is the only reader of logs, and millions of lines go through it: it splits lines itself and leaves
 * only those with quotes to the CSV parser.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const columns = { all: ["slug", "state", "error"], keys: ["slug"] };
 * const text = 'state,slug,error\nup,shop,\ndown,"a, b",no answer\nup,bl';
 * assertEquals([...readRows(text, columns)], [["shop", "up", ""], ["a, b", "down", "no answer"]]);
 * ```
 */
export function* readRows(
  text: string,
  columns: LogColumns,
): Generator<readonly (string | undefined)[]> {
  let places = placesIn(findHeader(text, columns) ?? columns.all, columns);
  for (const line of readLines(text)) {
    const cells = splitLine(line);
    if (mayBeHeader(line, columns) && isHeader(cells, columns)) places = placesIn(cells, columns);
    else yield places === undefined ? cells : places.map((place) => cells[place]);
  }
}

/** The cells of the first header. */
function findHeader(text: string, columns: LogColumns): string[] | undefined {
  for (const line of readLines(text)) {
    if (mayBeHeader(line, columns) && isHeader(splitLine(line), columns)) return splitLine(line);
  }
}

/** Most lines are no headers, which is faster to see than to split them. */
function mayBeHeader(line: string, { keys }: LogColumns): boolean {
  return line.includes(keys[0]!);
}

/**
 * True if a line names the key columns. The start of our own header is one that was cut off: the rows
 * below it have all columns.
 */
export function isHeader(cells: readonly string[], { all, keys }: LogColumns): boolean {
  if (!keys.every((name) => cells.includes(name))) return false;
  const [line, ours] = [cells.join(","), all.join(",")];
  return line === ours || !ours.startsWith(line);
}

/** The place of each of our columns in a header; `undefined` if they are in our order. */
function placesIn(
  header: readonly string[],
  { all }: LogColumns,
): readonly number[] | undefined {
  const places = all.map((name) => header.indexOf(name));
  return places.every((place, index) => place === index) ? undefined : places;
}

function* readLines(text: string): Generator<string> {
  let start = text.startsWith("\ufeff") ? 1 : 0;
  for (let end = text.indexOf("\n", start); end !== -1; end = text.indexOf("\n", start)) {
    yield text.slice(start, text[end - 1] === "\r" ? end - 1 : end);
    start = end + 1;
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
