import { parse } from "@std/csv/parse";
import { stringify } from "@std/csv/stringify";

/**
 * Reads the rows of a log, whose cells are numbered in the order of `columns`. The first line is the header if it names
 * the first two of the columns; without a header the columns are ours. A line never contains a line break, so a damaged
 * line harms no other: the last one without its end and those with an unclosed quote are skipped.
 *
 * Millions of lines go through this: only those with quotes reach the CSV parser, and every line has the same object.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const text = 'state,slug,error\nup,shop,\ndown,"a, b",no answer\nup,bl';
 * const rows = readRows(text, ["slug", "state", "error"]);
 * assertEquals([...rows.map((row) => [row.text(0), row.text(2)])], [["shop", ""], ["a, b", "no answer"]]);
 * ```
 */
export function* readRows(text: string, columns: readonly string[]): Generator<Row> {
  const lines = text.replace(/^\ufeff/, "").replaceAll("\r\n", "\n");
  const header = lines.slice(0, Math.max(0, lines.indexOf("\n"))).split(",");
  const hasHeader = columns.slice(0, 2).every((name) => header.includes(name));
  const row = new Row(columns.map((name, index) => hasHeader ? header.indexOf(name) : index));
  const hasQuotes = lines.includes('"');
  let start = hasHeader ? lines.indexOf("\n") + 1 : 0;
  for (;;) {
    const end = lines.indexOf("\n", start);
    if (end === -1) return;
    const quoted = hasQuotes ? lines.slice(start, end) : "";
    if (quoted.includes('"')) row.set(parseLine(quoted));
    else row.split(lines, start, end);
    yield row;
    start = end + 1;
  }
}

function parseLine(line: string): readonly string[] {
  const isClosed = line.split('"').length % 2 === 1;
  return isClosed ? parse(line, { lazyQuotes: true })[0] ?? [] : [];
}

/** A line of a log. Cells that it lacks are empty. */
export class Row {
  /** The places of the columns in a line; below 0 if the log lacks one. */
  readonly #places: readonly number[];
  #text = "";
  /** Starts of the cells in the text, and that of one more. */
  #starts: number[] = [];
  #length = 0;

  constructor(places: readonly number[]) {
    this.#places = places;
  }

  /** Takes the cells of a part of a text. */
  split(text: string, from: number, to: number): void {
    const starts = this.#starts;
    let length = 0;
    starts[length++] = from;
    for (let at = from; at < to; at++) {
      if (text.charCodeAt(at) === COMMA) starts[length++] = at + 1;
    }
    starts[length] = to + 1;
    this.#text = text;
    this.#length = length;
  }

  /** Takes cells, which may contain commas. */
  set(cells: readonly string[]): void {
    this.#starts = [0];
    for (const cell of cells) this.#starts.push(this.#starts.at(-1)! + cell.length + 1);
    this.#text = cells.join();
    this.#length = cells.length;
  }

  text(column: number): string {
    return this.#text.slice(this.#start(column), this.#end(column));
  }

  /** True if a cell has a text. */
  is(column: number, text: string): boolean {
    const start = this.#start(column);
    return this.#end(column) - start === text.length && this.#text.startsWith(text, start);
  }

  /** The value of a number; `NaN` for anything else. */
  number(column: number): number {
    const [start, end] = [this.#start(column), this.#end(column)];
    let value = start === end ? NaN : 0;
    for (let at = start; at < end; at++) {
      const digit = this.#text.charCodeAt(at) - ZERO;
      // Only an edited log has more than a few digits.
      if (!(digit >= 0 && digit <= 9) || end - start > 15) return Number(this.text(column));
      value = 10 * value + digit;
    }
    return value;
  }

  #start(column: number): number {
    const place = this.#places[column]!;
    return place >= 0 && place < this.#length ? this.#starts[place]! : 0;
  }

  #end(column: number): number {
    const place = this.#places[column]!;
    return place >= 0 && place < this.#length ? this.#starts[place + 1]! - 1 : 0;
  }
}

const [COMMA, ZERO] = [44, 48];

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
