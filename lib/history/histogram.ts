/** Each bucket is this much wider than the one before. */
const GROWTH = 1.05;
const LOG_GROWTH = Math.log(GROWTH);
/** As many buckets as a response time of an hour needs; what takes longer is in the last. */
const BUCKETS = 312;

const BLANK = 32;
const ZERO = 48;
const NINE = 57;
const COLON = 58;

/** A histogram as {@linkcode Histogram.format} writes it; `addTo` where it can be added without that text. */
export interface WrittenHistogram {
  histogram: string;
  addTo?(histogram: Histogram, weight: number): void;
}

/**
 * Response times by their order of magnitude: bucket 0 is for less than 1 ms, bucket `i` for those from
 * 1.05^(i-1) to 1.05^i ms. Any number of them can be added up, and every quantile of the sum is right to 5 %.
 */
export class Histogram {
  readonly #counts = new Float64Array(BUCKETS);
  #total = 0;

  /** How many response times are in it. */
  get total(): number {
    return this.#total;
  }

  /** Takes everything out of it. */
  clear(): void {
    this.#counts.fill(0);
    this.#total = 0;
  }

  /** Adds a response time in milliseconds, `weight` times. */
  add(milliseconds: number, weight = 1): void {
    this.#addTo(bucketOf(milliseconds), weight);
  }

  /** Adds the histogram of a day, `weight` times. */
  addDay(day: WrittenHistogram, weight = 1): void {
    if (day.addTo !== undefined) day.addTo(this, weight);
    else this.addText(day.histogram, weight);
  }

  /**
   * Adds all that another one says in words, `weight` times: less than 1 for a part of it. What is no
   * pair is passed over. Days by the thousand are added up: nothing is cut out of the text, and its bytes
   * are looked at, which are at hand faster than characters.
   */
  addText(text: string, weight = 1): void {
    const bytes = bytesOf(text);
    let index = -1;
    let value = 0;
    let isPair = true;
    for (let at = 0; at <= bytes.length; at++) {
      const code = at === bytes.length ? BLANK : bytes[at]!;
      if (code >= ZERO && code <= NINE) value = value * 10 + code - ZERO;
      else if (code === COLON && index === -1) {
        index = value;
        value = 0;
      } else if (code === BLANK) {
        if (isPair && index !== -1) this.#addTo(Math.min(index, BUCKETS - 1), value * weight);
        index = -1;
        value = 0;
        isPair = true;
      } else isPair = false;
    }
  }

  /** The same of a histogram that `packHistogram` has put into a list at a place. */
  addPacked(packed: Int32Array, place: number, weight: number): void {
    const counts = this.#counts;
    let total = this.#total;
    const end = place + 1 + packed[place]!;
    for (let at = place + 1; at < end; at++) {
      const pair = packed[at]!;
      const index = pair >>> 16;
      const value = (pair & 0xffff) * weight;
      counts[index < BUCKETS ? index : BUCKETS - 1]! += value;
      total += value;
    }
    this.#total = total;
  }

  /** The response time that a share of all, from 0 to 1, does not exceed; `undefined` where it is empty. */
  quantile(share: number): number | undefined {
    if (this.#total === 0) return undefined;
    // A share of a sum of parts may miss a whole number by the last bit.
    const rank = share * this.#total - 1e-9;
    let seen = 0;
    for (let index = 0; index < BUCKETS; index++) {
      seen += this.#counts[index]!;
      if (seen > 0 && seen >= rank) return middleOf(index);
    }
    return middleOf(BUCKETS - 1);
  }

  /** How many are at most a limit in milliseconds, to the bucket it falls into. */
  countUpTo(limit: number): number {
    let count = 0;
    for (let index = 0; index < BUCKETS && middleOf(index) <= limit; index++) {
      count += this.#counts[index]!;
    }
    return count;
  }

  /**
   * `index:count` pairs joined by spaces, without the empty buckets.
   *
   * @example
   * ```ts
   * import { assertEquals } from "@std/assert";
   * const histogram = new Histogram();
   * for (const time of [120, 121, 900]) histogram.add(time);
   * assertEquals(histogram.format(), "99:2 140:1");
   * histogram.addText("99:1 rubbish 140:3");
   * assertEquals(histogram.format(), "99:3 140:4");
   * ```
   */
  format(): string {
    const pairs: string[] = [];
    this.#counts.forEach((count, index) => {
      if (count > 0) pairs.push(`${index}:${count}`);
    });
    return pairs.join(" ");
  }

  #addTo(index: number, weight: number): void {
    this.#counts[index]! += weight;
    this.#total += weight;
  }
}

const encoder = new TextEncoder();
const room = new Uint8Array(8192);

/** The bytes of a text until the next is asked for. */
function bytesOf(text: string): Uint8Array {
  const { read, written } = encoder.encodeInto(text, room);
  return read === text.length ? room.subarray(0, written) : encoder.encode(text);
}

/** Buckets of the response times that most checks have. */
const USUAL = Uint16Array.from(
  { length: 4096 },
  (_, milliseconds) => computedBucketOf(milliseconds),
);

function bucketOf(milliseconds: number): number {
  const isUsual = (milliseconds | 0) === milliseconds && milliseconds >= 0 && milliseconds < 4096;
  return isUsual ? USUAL[milliseconds]! : computedBucketOf(milliseconds);
}

function computedBucketOf(milliseconds: number): number {
  if (!(milliseconds >= 1)) return 0;
  return Math.min(BUCKETS - 1, 1 + Math.floor(Math.log(milliseconds) / LOG_GROWTH + 1e-9));
}

/** The response time that stands for a bucket: in its middle by order of magnitude. */
function middleOf(index: number): number {
  return index === 0 ? 0 : GROWTH ** (index - 0.5);
}
