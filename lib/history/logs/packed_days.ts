import type { RolledDay, RolledDays } from "../../statistics/site_history.ts";
import { DAY_BLOCK, type DayBlock } from "./day_block.ts";

/** The days of a site, each of which becomes an object only while it is looked at: there are hundreds of thousands. */
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

  at(index: number): RolledDay | undefined {
    const place = this.#places[index];
    if (place === undefined) return undefined;
    return this.#blocks[Math.floor(place / DAY_BLOCK)]!.day(place % DAY_BLOCK);
  }

  slice(from?: number, to?: number): PackedDays {
    return new PackedDays(this.#blocks, this.#places.subarray(from, to));
  }

  filter(isWanted: (day: RolledDay) => boolean): PackedDays {
    const wanted = new Int32Array(this.length);
    let count = 0;
    for (let index = 0; index < this.length; index++) {
      if (isWanted(this.at(index)!)) wanted[count++] = this.#places[index]!;
    }
    return new PackedDays(this.#blocks, wanted.subarray(0, count));
  }

  *[Symbol.iterator](): Generator<RolledDay, undefined> {
    for (let index = 0; index < this.length; index++) yield this.at(index)!;
  }
}
