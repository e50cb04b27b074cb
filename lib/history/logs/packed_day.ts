import type { Histogram, WrittenHistogram } from "../histogram.ts";
import type { RolledDay } from "../site_history.ts";
import { DAY } from "../../time.ts";
import type { DayTotals } from "../daily_log.ts";
import { PACKED_HISTOGRAM, unpackHistogram } from "./packed_histogram.ts";

/** Where a packed day has its histogram: behind its number since 1970 and the fourteen numbers of its line. */
export const HISTOGRAM = 15;

/** Integers that a packed day takes at most. */
export const PACKED_DAY = HISTOGRAM + PACKED_HISTOGRAM;

const NOWHERE = new Int32Array();

/**
 * A day of a log, which is its own totals and its own response times: they are read out of their place when
 * they are asked for, and a spread copies none.
 */
export class PackedDay implements RolledDay, DayTotals, WrittenHistogram {
  #packed: Int32Array = NOWHERE;
  #place = 0;

  /** Makes it the day that stands at a place. */
  moveTo(packed: Int32Array, place: number): void {
    this.#packed = packed;
    this.#place = place;
  }

  get from(): number {
    return this.#packed[this.#place]! * DAY;
  }
  get totals(): DayTotals {
    return this;
  }
  get checks(): number {
    return this.#packed[this.#place + 1]!;
  }
  get up(): number {
    return this.#packed[this.#place + 2]!;
  }
  get degraded(): number {
    return this.#packed[this.#place + 3]!;
  }
  get down(): number {
    return this.#packed[this.#place + 4]!;
  }
  get maintenance(): number {
    return this.#packed[this.#place + 5]!;
  }
  get unknown(): number {
    return this.#packed[this.#place + 6]!;
  }
  get observedTime(): number {
    return this.#packed[this.#place + 7]!;
  }
  get downTime(): number {
    return this.#packed[this.#place + 8]!;
  }
  get degradedTime(): number {
    return this.#packed[this.#place + 9]!;
  }
  get maintenanceTime(): number {
    return this.#packed[this.#place + 10]!;
  }
  get responseTimes(): DayTotals["responseTimes"] & WrittenHistogram {
    return this;
  }
  get count(): number {
    return this.#packed[this.#place + 11]!;
  }
  get sum(): number {
    return this.#packed[this.#place + 12]!;
  }
  get min(): number {
    return this.#packed[this.#place + 13]!;
  }
  get max(): number {
    return this.#packed[this.#place + 14]!;
  }
  get histogram(): string {
    return unpackHistogram(this.#packed, this.#place + HISTOGRAM);
  }

  /** Adds the histogram to another, `weight` times, without making it a text. */
  addTo(histogram: Histogram, weight: number): void {
    histogram.addPacked(this.#packed, this.#place + HISTOGRAM, weight);
  }
}
