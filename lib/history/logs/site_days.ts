import type { RolledDay } from "../../statistics/site_history.ts";
import { DayBlock } from "./day_block.ts";
import type { DayLine } from "./day_line.ts";

/** The days of a site, as logs tell them; with objects for all of it they would fill the memory. */
export class SiteDays {
  readonly #blocks: DayBlock[] = [];

  /** Adds the day of a line, given its begin and the first of the columns that hold numbers. */
  add(from: number, line: DayLine, first: number): void {
    this.#blockWithRoom().add(from, line, first);
  }

  /** Adds the day whose numbers stand in a log, and returns what {@linkcode DayBlock.addPlain} does. */
  addPlain(from: number, log: Uint8Array, start: number): number {
    return this.#blockWithRoom().addPlain(from, log, start);
  }

  /** All days, ascending; of two of a date the one that was added later. */
  days(): RolledDay[] {
    const days = this.#blocks.flatMap((block) => block.days());
    const isAscending = days.every((day, at) => at === 0 || days[at - 1]!.from < day.from);
    if (isAscending) return days;
    const last = new Map(days.map((day) => [day.from, day]));
    return [...last.values()].sort((one, other) => one.from - other.from);
  }

  #blockWithRoom(): DayBlock {
    const last = this.#blocks.at(-1);
    if (last?.hasRoom) return last;
    const next = new DayBlock();
    this.#blocks.push(next);
    return next;
  }
}
