import type { DatedDays } from "../../statistics/site_history.ts";
import type { DayTotals } from "../daily_log.ts";
import { DayBlock, type LoggedDay } from "./day_block.ts";
import type { DayLine } from "./day_line.ts";

/** The days of a site by date (`YYYY-MM-DD`), as logs tell them; with objects for all of it they would fill the memory. */
export class SiteDays implements DatedDays {
  readonly #dates: string[] = [];
  readonly #days: LoggedDay[] = [];
  #block = new DayBlock();
  #isAscending = true;

  /** Adds the day of a line, given the first of the columns that hold numbers. Of two of a date the later counts. */
  add(date: string, line: DayLine, first: number): void {
    this.#push(date, this.#blockWithRoom().add(line, first));
  }

  /** Adds the day whose numbers stand in a log, and returns what {@linkcode DayBlock.putPlain} does. */
  addPlain(date: string, log: Uint8Array, from: number): number {
    const block = this.#blockWithRoom();
    const end = block.putPlain(log, from);
    if (end !== -1) this.#push(date, block.added());
    return end;
  }

  #blockWithRoom(): DayBlock {
    if (!this.#block.hasRoom) this.#block = new DayBlock();
    return this.#block;
  }

  #push(date: string, day: LoggedDay): void {
    if (date <= (this.#dates.at(-1) ?? "")) this.#isAscending = false;
    this.#dates.push(date);
    this.#days.push(day);
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
