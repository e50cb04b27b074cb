import type { DatedDays } from "../../statistics/site_history.ts";
import type { Histogram } from "../../statistics/histogram.ts";
import type { DayTotals } from "../daily_log.ts";
import type { DayLine } from "./day_line.ts";
import { packedLength, packHistogram, unpackHistogram } from "./packed_histogram.ts";

/** What is kept of a day: the fourteen numbers of its line, and where its histogram begins and ends. */
const WIDTH = 16;
const [HISTOGRAM, HISTOGRAM_END] = [14, 15];

/** Numbers and histograms of some days of a site, one behind the other: they are gone through again and again. */
class Block {
  readonly numbers = new Float64Array(128 * WIDTH);
  /** Histograms as {@linkcode packHistogram} packs them. */
  readonly packed: Uint16Array;
  /** Those that could not be packed, by where the numbers of their days begin. */
  readonly texts = new Map<number, string>();
  #length = 0;
  #end = 0;

  /** At least one cell of so many bytes has room in it. */
  constructor(bytes: number) {
    this.packed = new Uint16Array(Math.max(16_384, packedLength(bytes)));
  }

  hasRoom(bytes: number): boolean {
    return this.#length < this.numbers.length &&
      this.#end + packedLength(bytes) <= this.packed.length;
  }

  /** Adds the day of a line, given the first of the columns that hold numbers. */
  add(line: DayLine, first: number): LoggedDay {
    const { numbers } = this;
    const begin = this.#length;
    numbers[begin] = line.count(first);
    for (let at = 1; at < HISTOGRAM; at++) numbers[begin + at] = line.number(first + at);
    const cell = [line.begin(first + HISTOGRAM), line.end(first + HISTOGRAM)] as const;
    const end = packHistogram(line.log, cell, this.packed, this.#end);
    if (end === -1) this.texts.set(begin, line.text(first + HISTOGRAM));
    numbers[begin + HISTOGRAM] = this.#end;
    this.#end = Math.max(this.#end, end);
    numbers[begin + HISTOGRAM_END] = this.#end;
    this.#length += WIDTH;
    return new LoggedDay(this, begin);
  }
}

/** The days of a site by date (`YYYY-MM-DD`), as logs tell them; with objects for all of it they would fill the memory. */
export class SiteDays implements DatedDays {
  readonly #dates: string[] = [];
  readonly #days: LoggedDay[] = [];
  #block?: Block;
  #isAscending = true;

  /** Adds the day of a line, given the first of the columns that hold numbers. Of two of a date the later counts. */
  add(date: string, line: DayLine, first: number): void {
    const bytes = line.end(first + HISTOGRAM) - line.begin(first + HISTOGRAM);
    if (this.#block === undefined || !this.#block.hasRoom(bytes)) this.#block = new Block(bytes);
    if (date <= (this.#dates.at(-1) ?? "")) this.#isAscending = false;
    this.#dates.push(date);
    this.#days.push(this.#block.add(line, first));
  }

  /** The totals of a day; `undefined` where they are not known. */
  get(date: string): DayTotals | undefined {
    return this.#days[this.#dates.lastIndexOf(date)];
  }

  /** Tells all days, each once. */
  forEach(tell: (totals: DayTotals, date: string) => void): void {
    const days = this.#days;
    if (this.#isAscending) this.#dates.forEach((date, index) => tell(days[index]!, date));
    else new Map(this.#dates.map((date, index) => [date, days[index]!])).forEach(tell);
  }
}

/** Totals that are read out of their place when they are asked for. */
class LoggedDay implements DayTotals {
  readonly #block: Block;
  readonly #begin: number;

  constructor(block: Block, begin: number) {
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
export class LoggedTimes {
  readonly #block: Block;
  readonly #begin: number;

  constructor(block: Block, begin: number) {
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
    const [from, to] = [numbers[this.#begin + HISTOGRAM]!, numbers[this.#begin + HISTOGRAM_END]!];
    return texts.get(this.#begin) ?? unpackHistogram(packed.subarray(from, to));
  }

  /** Adds the histogram to another, `weight` times, without making it a text. */
  addTo(histogram: Histogram, weight: number): void {
    const { numbers, packed, texts } = this.#block;
    const begin = this.#begin;
    const text = texts.size === 0 ? undefined : texts.get(begin);
    if (text !== undefined) histogram.addText(text, weight);
    else {
      const [from, to] = [numbers[begin + HISTOGRAM]!, numbers[begin + HISTOGRAM_END]!];
      histogram.addPacked(packed, from, to, weight);
    }
  }
}
