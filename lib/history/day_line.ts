const ZERO = 48;
const SPACE = 32;

/**
 * A line of a log, which stays where it is: only what is asked for is cut out of it. There may be a
 * hundred thousand.
 */
export class DayLine {
  /** The cell of each column; -1 where the log has no such column. */
  places: readonly number[] = [];
  readonly #log: string;
  readonly #separator: string;
  /** Where the cells begin, and one place behind the end of the last. */
  readonly #starts: number[] = [];
  #count = 0;
  #nextLine = 0;

  constructor(log: string, separator: string) {
    this.#log = log;
    this.#separator = separator;
  }

  /** Goes to the next line; `false` where there is none. */
  next(): boolean {
    const log = this.#log;
    let at = this.#nextLine;
    let end = log.indexOf("\n", at);
    if (end === -1) return false;
    this.#nextLine = end + 1;
    while (end > at && log.charCodeAt(end - 1) <= SPACE && log[end - 1] !== this.#separator) end--;
    this.#count = 0;
    while (at <= end) {
      this.#starts[this.#count++] = at;
      const next = log.indexOf(this.#separator, at);
      at = next === -1 || next > end ? end + 1 : next + 1;
    }
    this.#starts[this.#count] = at;
    return true;
  }

  /** Texts of all cells. */
  cells(): string[] {
    return Array.from({ length: this.#count }, (_, cell) => this.#cell(cell));
  }

  /** The text of a column; empty where the line has no such cell. */
  text(column: number): string {
    return this.#cell(this.places[column]!);
  }

  /** The number in a column; 0 where there is none that may stand there: none is below 0. */
  number(column: number): number {
    const cell = this.places[column]!;
    if (cell < 0 || cell >= this.#count) return 0;
    let value = 0;
    const end = this.#starts[cell + 1]! - 1;
    for (let at = this.#starts[cell]!; at < end; at++) {
      const digit = this.#log.charCodeAt(at) - ZERO;
      if (digit < 0 || digit > 9) return countOf(this.#cell(cell));
      value = value * 10 + digit;
    }
    return value;
  }

  #cell(cell: number): string {
    if (cell < 0 || cell >= this.#count) return "";
    return this.#log.slice(this.#starts[cell], this.#starts[cell + 1]! - 1);
  }
}

function countOf(cell: string): number {
  const value = Number(cell);
  return Number.isFinite(value) && value > 0 ? value : 0;
}
