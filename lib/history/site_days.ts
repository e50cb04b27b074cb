import type { DatedDays } from "../statistics/site_history.ts";
import type { Histogram } from "../statistics/histogram.ts";
import { grown } from "./check_column.ts";
import type { DayTotals } from "./daily_log.ts";
import type { DayLine } from "./day_line.ts";
import { textOf } from "./log_bytes.ts";

/** What is kept of a day: the fourteen numbers of its line, and where its histogram begins and ends. */
const WIDTH = 16;
const [HISTOGRAM, HISTOGRAM_END] = [14, 15];

/**
 * The days of a site by date (`YYYY-MM-DD`), as logs tell them. Numbers and histograms stand side by side,
 * as they are gone through again and again: as objects they would be most of what is in memory.
 */
export class SiteDays implements DatedDays {
  readonly #dates: string[] = [];
  #numbers = new Float64Array(366 * WIDTH);
  #histograms = new Uint8Array(65_536);
  #isAscending = true;

  /** Adds the day of a line, given the first of the columns that hold numbers. Of two of a date the later counts. */
  add(date: string, line: DayLine, first: number): void {
    const begin = WIDTH * this.#dates.length;
    if (begin === this.#numbers.length) {
      this.#numbers = grown(this.#numbers, new Float64Array(2 * begin));
    }
    if (date <= (this.#dates.at(-1) ?? "")) this.#isAscending = false;
    this.#dates.push(date);
    const numbers = this.#numbers;
    numbers[begin] = line.count(first);
    for (let at = 1; at < HISTOGRAM; at++) numbers[begin + at] = line.number(first + at);
    const place = begin === 0 ? 0 : numbers[begin - WIDTH + HISTOGRAM_END]!;
    numbers[begin + HISTOGRAM] = place;
    numbers[begin + HISTOGRAM_END] = this.#keep(line, first + HISTOGRAM, place);
  }

  /** Copies the cell of a column to a place among the histograms, and returns its end. */
  #keep(line: DayLine, column: number, place: number): number {
    const { log } = line;
    const [from, to] = [line.begin(column), line.end(column)];
    const end = place + to - from;
    if (end > this.#histograms.length) {
      this.#histograms = grown(this.#histograms, new Uint8Array(2 * end));
    }
    const histograms = this.#histograms;
    for (let at = from; at < to; at++) histograms[place + at - from] = log[at]!;
    return end;
  }

  /** The totals of a day; `undefined` where they are not known. */
  get(date: string): DayTotals | undefined {
    const index = this.#dates.lastIndexOf(date);
    return index === -1 ? undefined : new LoggedDay(this, WIDTH * index);
  }

  /** Tells all days, each once. */
  forEach(tell: (totals: DayTotals, date: string) => void): void {
    const tellDay = (index: number, date: string) => {
      tell(new LoggedDay(this, WIDTH * index), date);
    };
    if (this.#isAscending) this.#dates.forEach((date, index) => tellDay(index, date));
    else new Map(this.#dates.map((date, index) => [date, index])).forEach(tellDay);
  }

  /** One of the numbers that are kept. */
  at(index: number): number {
    return this.#numbers[index]!;
  }

  /** The bytes of all histograms. */
  get histograms(): Uint8Array {
    return this.#histograms;
  }
}

/** Totals that are read out of their place when they are asked for. */
class LoggedDay implements DayTotals {
  readonly #days: SiteDays;
  readonly #begin: number;

  constructor(days: SiteDays, begin: number) {
    this.#days = days;
    this.#begin = begin;
  }

  get checks(): number {
    return this.#days.at(this.#begin);
  }
  get up(): number {
    return this.#days.at(this.#begin + 1);
  }
  get degraded(): number {
    return this.#days.at(this.#begin + 2);
  }
  get down(): number {
    return this.#days.at(this.#begin + 3);
  }
  get maintenance(): number {
    return this.#days.at(this.#begin + 4);
  }
  get unknown(): number {
    return this.#days.at(this.#begin + 5);
  }
  get observedTime(): number {
    return this.#days.at(this.#begin + 6);
  }
  get downTime(): number {
    return this.#days.at(this.#begin + 7);
  }
  get degradedTime(): number {
    return this.#days.at(this.#begin + 8);
  }
  get maintenanceTime(): number {
    return this.#days.at(this.#begin + 9);
  }
  get responseTimes(): LoggedTimes {
    return new LoggedTimes(this.#days, this.#begin);
  }
}

/** The response times among such totals. */
export class LoggedTimes {
  readonly #days: SiteDays;
  readonly #begin: number;

  constructor(days: SiteDays, begin: number) {
    this.#days = days;
    this.#begin = begin;
  }

  get count(): number {
    return this.#days.at(this.#begin + 10);
  }
  get sum(): number {
    return this.#days.at(this.#begin + 11);
  }
  get min(): number {
    return this.#days.at(this.#begin + 12);
  }
  get max(): number {
    return this.#days.at(this.#begin + 13);
  }
  get histogram(): string {
    const days = this.#days;
    const [from, to] = [days.at(this.#begin + HISTOGRAM), days.at(this.#begin + HISTOGRAM_END)];
    return textOf(days.histograms, from, to);
  }

  /** Adds the histogram to another, `weight` times, without making it a text. */
  addTo(histogram: Histogram, weight: number): void {
    const days = this.#days;
    const [from, to] = [days.at(this.#begin + HISTOGRAM), days.at(this.#begin + HISTOGRAM_END)];
    histogram.addBytes(days.histograms, from, to, weight);
  }
}
