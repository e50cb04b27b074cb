import type { DatedDays } from "../../statistics/site_history.ts";
import type { Histogram, WrittenHistogram } from "../../statistics/histogram.ts";
import type { DayTotals } from "../daily_log.ts";
import type { DayLine } from "./day_line.ts";
import { textOf } from "./log_bytes.ts";

/** What is kept of a day: the fourteen numbers of its line, and where its histogram begins and ends. */
const WIDTH = 16;
const [HISTOGRAM, HISTOGRAM_END] = [14, 15];

/** Numbers and histograms of some days of a site, one behind the other: they are gone through again and again. */
class Block {
  readonly numbers = new Float64Array(128 * WIDTH);
  readonly histograms: Uint8Array;
  length = 0;
  end = 0;

  /** At least so many bytes of histograms have room in it. */
  constructor(bytes: number) {
    this.histograms = new Uint8Array(Math.max(32_768, bytes));
  }

  hasRoom(bytes: number): boolean {
    return this.length < this.numbers.length && this.end + bytes <= this.histograms.length;
  }

  /** Adds the day of a line, given the first of the columns that hold numbers. */
  add(line: DayLine, first: number): LoggedDay {
    const { numbers, histograms, length } = this;
    const { log } = line;
    numbers[length] = line.count(first);
    for (let at = 1; at < HISTOGRAM; at++) numbers[length + at] = line.number(first + at);
    numbers[length + HISTOGRAM] = this.end;
    const to = line.end(first + HISTOGRAM);
    for (let at = line.begin(first + HISTOGRAM); at < to; at++) histograms[this.end++] = log[at]!;
    numbers[length + HISTOGRAM_END] = this.end;
    this.length += WIDTH;
    return new LoggedDay(this, length);
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
class LoggedTimes implements WrittenHistogram {
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
    const { numbers, histograms } = this.#block;
    const begin = this.#begin;
    return textOf(histograms, numbers[begin + HISTOGRAM]!, numbers[begin + HISTOGRAM_END]!);
  }

  /** Adds the histogram to another, `weight` times, without making it a text. */
  addTo(histogram: Histogram, weight: number): void {
    const { numbers, histograms } = this.#block;
    const [from, to] = [this.#begin + HISTOGRAM, this.#begin + HISTOGRAM_END];
    histogram.addBytes(histograms, numbers[from]!, numbers[to]!, weight);
  }
}
