import type { Histogram, WrittenHistogram } from "../../statistics/histogram.ts";
import type { DayTotals } from "../daily_log.ts";
import type { DayLine } from "./day_line.ts";
import { COMMA, LINE_END } from "./log_bytes.ts";
import { PACKED_LENGTH, packHistogram, unpackHistogram } from "./packed_histogram.ts";

/** What is kept of a day: the fourteen numbers of its line, and where its histogram is. */
const WIDTH = 15;
const HISTOGRAM = 14;

const [ZERO, NINE] = [48, 57];
/** Digits of a number of checks, and of others, which are exact with so many. */
const [COUNT_DIGITS, DIGITS] = [9, 15];

/** Some days of a site, as numbers one behind the other: they are gone through again and again. */
export class DayBlock {
  readonly numbers = new Float64Array(128 * WIDTH);
  /** Histograms as {@linkcode packHistogram} packs them. */
  readonly packed = new Uint16Array(16_384);
  /** Those that could not be packed, by where the numbers of their days begin. */
  readonly texts = new Map<number, string>();
  #length = 0;
  #end = 0;

  /** Whether one more day has room in it. */
  get hasRoom(): boolean {
    return this.#length < this.numbers.length && this.#end + PACKED_LENGTH <= this.packed.length;
  }

  /** Adds the day of a line, given the first of the columns that hold numbers. */
  add(line: DayLine, first: number): LoggedDay {
    const { numbers } = this;
    const begin = this.#length;
    numbers[begin] = line.count(first);
    for (let at = 1; at < HISTOGRAM; at++) numbers[begin + at] = line.number(first + at);
    const cell = first + HISTOGRAM;
    const end = packHistogram(line.log, line.begin(cell), this.packed, this.#end);
    if (end !== line.end(cell)) this.texts.set(begin, line.text(cell));
    return this.added();
  }

  /**
   * Puts a day behind the others whose numbers stand in a log from somewhere on, one behind the other as we
   * write them. Returns where its line ends; -1 where it is not as we write it, and nothing is to be added.
   */
  putPlain(log: Uint8Array, from: number): number {
    const { numbers } = this;
    const begin = this.#length;
    let at = from;
    for (let column = 0; column < HISTOGRAM; column++) {
      const start = at;
      let value = 0;
      let byte = log[at]!;
      for (; byte >= ZERO && byte <= NINE; byte = log[++at]!) value = 10 * value + byte - ZERO;
      const length = at++ - start;
      const isCount = column === 0;
      if (byte !== COMMA || length > (isCount ? COUNT_DIGITS : DIGITS)) return -1;
      if (isCount && length === 0) return -1;
      numbers[begin + column] = value;
    }
    const end = packHistogram(log, at, this.packed, this.#end);
    return log[end] === LINE_END ? end : -1;
  }

  /** The day that was put behind the others. */
  added(): LoggedDay {
    const begin = this.#length;
    this.numbers[begin + HISTOGRAM] = this.#end;
    this.#end += 1 + this.packed[this.#end]!;
    this.#length += WIDTH;
    return new LoggedDay(this, begin);
  }
}

/** Totals that are read out of their place when they are asked for. */
export class LoggedDay implements DayTotals {
  readonly #block: DayBlock;
  readonly #begin: number;

  constructor(block: DayBlock, begin: number) {
    this.#block = block;
    this.#begin = begin;
  }

  get checks(): number {
    return this.#block.numbers[this.#begin]!;
  }
  get up(): number {
    return this.#block.numbers[this.#begin + 1]!;
  }
  get degraded(): number {
    return this.#block.numbers[this.#begin + 2]!;
  }
  get down(): number {
    return this.#block.numbers[this.#begin + 3]!;
  }
  get maintenance(): number {
    return this.#block.numbers[this.#begin + 4]!;
  }
  get unknown(): number {
    return this.#block.numbers[this.#begin + 5]!;
  }
  get observedTime(): number {
    return this.#block.numbers[this.#begin + 6]!;
  }
  get downTime(): number {
    return this.#block.numbers[this.#begin + 7]!;
  }
  get degradedTime(): number {
    return this.#block.numbers[this.#begin + 8]!;
  }
  get maintenanceTime(): number {
    return this.#block.numbers[this.#begin + 9]!;
  }
  get responseTimes(): LoggedTimes {
    return new LoggedTimes(this.#block, this.#begin);
  }
}

/** The response times among such totals. */
class LoggedTimes implements WrittenHistogram {
  readonly #block: DayBlock;
  readonly #begin: number;

  constructor(block: DayBlock, begin: number) {
    this.#block = block;
    this.#begin = begin;
  }

  get count(): number {
    return this.#block.numbers[this.#begin + 10]!;
  }
  get sum(): number {
    return this.#block.numbers[this.#begin + 11]!;
  }
  get min(): number {
    return this.#block.numbers[this.#begin + 12]!;
  }
  get max(): number {
    return this.#block.numbers[this.#begin + 13]!;
  }
  get histogram(): string {
    const { numbers, packed, texts } = this.#block;
    return texts.get(this.#begin) ??
      unpackHistogram(packed, numbers[this.#begin + HISTOGRAM]!);
  }

  /** Adds the histogram to another, `weight` times, without making it a text. */
  addTo(histogram: Histogram, weight: number): void {
    const { numbers, packed, texts } = this.#block;
    const text = texts.size === 0 ? undefined : texts.get(this.#begin);
    if (text === undefined) {
      histogram.addPacked(packed, numbers[this.#begin + HISTOGRAM]!, weight);
    } else histogram.addText(text, weight);
  }
}
