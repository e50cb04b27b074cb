import type { RolledDay, RolledDays } from "../site_history.ts";
import { DAY_BLOCK, type DayBlock } from "./day_block.ts";
import { PackedDay } from "./packed_day.ts";

/** The days of a site where logs have put them. */
export class PackedDays implements RolledDays {
  readonly #blocks: readonly DayBlock[];
  readonly #places: Int32Array;

  /** A place is one in all blocks, as if they were one behind the other. */
  constructor(blocks: readonly DayBlock[], places: Int32Array) {
    this.#blocks = blocks;
    this.#places = places;
  }

  get length(): number {
    return this.#places.length;
  }

  from(index: number): number {
    const place = this.#places[index]!;
    return this.#blocks[Math.floor(place / DAY_BLOCK)]!.from(place % DAY_BLOCK);
  }

  at(index: number): RolledDay | undefined {
    return index < this.length ? this.#show(index, new PackedDay()) : undefined;
  }

  slice(from?: number, to?: number): PackedDays {
    return new PackedDays(this.#blocks, this.#places.subarray(from, to));
  }

  filter(isWanted: (day: RolledDay) => boolean): PackedDays {
    const wanted = new Int32Array(this.length);
    const shown = new PackedDay();
    let count = 0;
    for (let index = 0; index < this.length; index++) {
      if (isWanted(this.#show(index, shown))) wanted[count++] = this.#places[index]!;
    }
    return new PackedDays(this.#blocks, wanted.subarray(0, count));
  }

  forEach(look: (day: RolledDay) => void, from = 0, to = this.length): void {
    const shown = new PackedDay();
    for (let index = from; index < to; index++) look(this.#show(index, shown));
  }

  *[Symbol.iterator](): Generator<RolledDay, undefined> {
    for (let index = 0; index < this.length; index++) yield this.at(index)!;
  }

  #show(index: number, shown: PackedDay): RolledDay {
    const place = this.#places[index]!;
    return this.#blocks[Math.floor(place / DAY_BLOCK)]!.show(place % DAY_BLOCK, shown);
  }
}

/** The days of a site of which none was rolled up. */
export const NO_DAYS: RolledDays = new PackedDays([], new Int32Array());
