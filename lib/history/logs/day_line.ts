import { COMMA, isDigit, LINE_END, numberIn, textOf } from "./log_bytes.ts";

const [SPACE, QUOTE] = [32, 34];

/**
 * A line of a log, which stays where it is in the bytes: only what is asked for is cut out of it. There may
 * be hundreds of thousands.
 */
export class DayLine {
  /** The cell of each column; -1 where the log has no such column. */
  places: readonly number[] = [];
  readonly log: Uint8Array;
  /** Whether it or a line before has quotes, between commas that may be part of a cell then. */
  hasQuotes = false;
  readonly #separator: number;
  /** No byte above it has a meaning. */
  readonly #most: number;
  /** Where the cells begin, and one place behind the end of the last. */
  #starts = new Int32Array(64);
  #count = 0;
  #nextLine = 0;

  /** Lines without an end are passed over. */
  constructor(log: Uint8Array, separator: number) {
    this.log = log.subarray(0, log.lastIndexOf(LINE_END) + 1);
    this.#separator = separator;
    this.#most = Math.max(separator, QUOTE);
  }

  /** Goes to the next line; `false` where there is none. */
  next(): boolean {
    const log = this.log;
    const separator = this.#separator;
    let starts = this.#starts;
    let at = this.#nextLine;
    if (at >= log.length) return false;
    let count = 0;
    starts[count++] = at;
    for (;; at++) {
      const byte = log[at]!;
      if (byte > this.#most) continue;
      if (byte === LINE_END) break;
      if (byte === separator) {
        if (count + 1 === starts.length) starts = this.#moreStarts();
        starts[count++] = at + 1;
      } else if (byte === QUOTE && separator === COMMA) this.hasQuotes = true;
    }
    this.#nextLine = at + 1;
    const begin = starts[count - 1]!;
    while (at > begin && log[at - 1]! <= SPACE) at--;
    starts[count] = at + 1;
    this.#count = count;
    return true;
  }

  /** Lets the line that begins somewhere be the next. */
  goTo(start: number): void {
    this.#nextLine = start;
  }

  /** Texts of all cells. */
  cells(): string[] {
    return Array.from({ length: this.#count }, (_, cell) => {
      return textOf(this.log, this.#starts[cell]!, this.#starts[cell + 1]! - 1);
    });
  }

  /** Where the cell of a column begins; where it has none, at a place where nothing is. */
  begin(column: number): number {
    const cell = this.places[column]!;
    return cell < 0 || cell >= this.#count ? 0 : this.#starts[cell]!;
  }

  /** Where the cell of a column ends. */
  end(column: number): number {
    const cell = this.places[column]!;
    return cell < 0 || cell >= this.#count ? 0 : this.#starts[cell + 1]! - 1;
  }

  /** The text of a column; empty where the line has no such cell. */
  text(column: number): string {
    return textOf(this.log, this.begin(column), this.end(column));
  }

  /** The number in a column; 0 where there is none that may stand there: none is below 0. */
  number(column: number): number {
    const value = numberIn(this.log, this.begin(column), this.end(column));
    return value > 0 && value < Infinity ? value : 0;
  }

  /** A number of checks in a column; `NaN` where there is none that may stand there. */
  count(column: number): number {
    const [begin, end] = [this.begin(column), this.end(column)];
    const length = end - begin;
    return length >= 1 && length <= 9 && isDigits(this.log, begin, end)
      ? numberIn(this.log, begin, end)
      : NaN;
  }

  #moreStarts(): Int32Array<ArrayBuffer> {
    const more = new Int32Array(2 * this.#starts.length);
    more.set(this.#starts);
    return this.#starts = more;
  }
}

function isDigits(log: Uint8Array, from: number, to: number): boolean {
  for (let at = from; at < to; at++) if (!isDigit(log[at]!)) return false;
  return true;
}
