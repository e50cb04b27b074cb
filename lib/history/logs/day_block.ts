import type { RolledDay } from "../site_history.ts";
import { DAY } from "../../time.ts";
import type { DayTotals } from "../daily_log.ts";
import type { DayLine } from "./day_line.ts";
import { COMMA, isDigit, LINE_END, ZERO } from "./log_bytes.ts";
import { HISTOGRAM, PACKED_DAY, type PackedDay } from "./packed_day.ts";
import { packHistogram } from "./packed_histogram.ts";

/** Digits of a number that an integer surely holds. */
const DIGITS = 9;

/** Integers in a block. */
export const DAY_BLOCK = 16_384;

/** Some days of a site, as integers one behind the other: they are gone through again and again. */
export class DayBlock {
  readonly #packed = new Int32Array(DAY_BLOCK);
  #end = 0;
  /** Totals that integers can't tell, by where their days stand. */
  readonly #others = new Map<number, DayTotals>();

  /** Where the next day is put. */
  get end(): number {
    return this.#end;
  }

  /** Whether one more day has room in it. */
  get hasRoom(): boolean {
    return this.#end + PACKED_DAY <= this.#packed.length;
  }

  /**
   * Adds a day, given its begin, whose numbers stand in a log from somewhere on, one behind the other as we
   * write them. Returns where its line ends; -1 where it is not as we write it, and nothing was added.
   */
  addPlain(from: number, log: Uint8Array, start: number): number {
    const histogram = this.#putNumbers(log, start);
    if (histogram === -1) return -1;
    const end = packHistogram(log, histogram, this.#packed, this.#end + HISTOGRAM);
    if (log[end] !== LINE_END) return -1;
    this.#added(from);
    return end;
  }

  /** Adds the day of any line, given its begin and the first of the columns that hold numbers. */
  add(from: number, line: DayLine, first: number): void {
    if (!this.#putLine(line, first)) {
      this.#others.set(this.#end, totalsOf(line, first));
      this.#packed[this.#end + HISTOGRAM] = 0;
    }
    this.#added(from);
  }

  /** Begin of the day that stands at a place. */
  from(place: number): number {
    return this.#packed[place]! * DAY;
  }

  /** The day that stands at a place: `shown`, which becomes that day, unless integers can't tell it. */
  show(place: number, shown: PackedDay): RolledDay {
    const totals = this.#others.size === 0 ? undefined : this.#others.get(place);
    if (totals !== undefined) return { from: this.from(place), totals };
    shown.moveTo(this.#packed, place);
    return shown;
  }

  /** Returns where the numbers end that were put behind all days; -1 where they are not as we write them. */
  #putNumbers(log: Uint8Array, start: number): number {
    const packed = this.#packed;
    const place = this.#end;
    let at = start;
    for (let column = 1; column < HISTOGRAM; column++) {
      const begin = at;
      let value = 0;
      let byte = log[at]!;
      for (; isDigit(byte); byte = log[++at]!) value = 10 * value + byte - ZERO;
      const length = at++ - begin;
      if (byte !== COMMA || length > DIGITS || (length === 0 && column === 1)) return -1;
      packed[place + column] = value;
    }
    return at;
  }

  /** Puts the numbers of a line and its histogram behind all days; `false` where integers can't tell them. */
  #putLine(line: DayLine, first: number): boolean {
    const packed = this.#packed;
    for (let column = 1; column < HISTOGRAM; column++) {
      const cell = first + column - 1;
      const value = column === 1 ? line.count(cell) : line.number(cell);
      packed[this.#end + column] = value;
      if (packed[this.#end + column] !== value) return false;
    }
    const cell = first + HISTOGRAM - 1;
    const end = packHistogram(line.log, line.begin(cell), packed, this.#end + HISTOGRAM);
    return end === line.end(cell);
  }

  #added(from: number): void {
    const place = this.#end;
    this.#packed[place] = from / DAY;
    this.#end = place + HISTOGRAM + 1 + this.#packed[place + HISTOGRAM]!;
  }
}

function totalsOf(line: DayLine, first: number): DayTotals {
  const number = (column: number) => line.number(first + column);
  return {
    checks: line.count(first),
    up: number(1),
    degraded: number(2),
    down: number(3),
    maintenance: number(4),
    unknown: number(5),
    observedTime: number(6),
    downTime: number(7),
    degradedTime: number(8),
    maintenanceTime: number(9),
    responseTimes: {
      count: number(10),
      sum: number(11),
      min: number(12),
      max: number(13),
      histogram: line.text(first + 14),
    },
  };
}
