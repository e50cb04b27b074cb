import type { RolledDays } from "../site_history.ts";
import { DAY_BLOCK, DayBlock } from "./day_block.ts";
import type { DayLine } from "./day_line.ts";
import { PackedDays } from "./packed_days.ts";

/** The days of a site, as logs tell them; with objects for all of it they would fill the memory. */
export class SiteDays {
  readonly #blocks: DayBlock[] = [];
  /** Where the days stand, as {@linkcode PackedDays} counts. */
  readonly #places: number[] = [];
  #isInOrder = true;
  /** Begin of the day that was added last. */
  #last = -Infinity;

  /** Adds the day of a line, given its begin and the first of the columns that hold numbers. */
  add(from: number, line: DayLine, first: number): void {
    const block = this.#blockWithRoom();
    const place = block.end;
    block.add(from, line, first);
    this.#added(from, place);
  }

  /** Adds the day whose numbers stand in a log, and returns what {@linkcode DayBlock.addPlain} does. */
  addPlain(from: number, log: Uint8Array, start: number): number {
    const block = this.#blockWithRoom();
    const place = block.end;
    const end = block.addPlain(from, log, start);
    if (end !== -1) this.#added(from, place);
    return end;
  }

  /** All days; of two of a date the one that was added later. */
  days(): RolledDays {
    const days = new PackedDays(this.#blocks, new Int32Array(this.#places));
    if (this.#isInOrder) return days;
    const last = new Map(this.#places.map((place, index) => [days.from(index), place]));
    const places = [...last].sort(([one], [other]) => one - other).map(([, place]) => place);
    return new PackedDays(this.#blocks, new Int32Array(places));
  }

  #blockWithRoom(): DayBlock {
    const last = this.#blocks.at(-1);
    if (last?.hasRoom) return last;
    const next = new DayBlock();
    this.#blocks.push(next);
    return next;
  }

  #added(from: number, place: number): void {
    this.#places.push((this.#blocks.length - 1) * DAY_BLOCK + place);
    if (from <= this.#last) this.#isInOrder = false;
    this.#last = from;
  }
}
