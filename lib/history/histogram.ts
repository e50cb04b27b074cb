/** Each bucket is this much wider than the one before. */
const GROWTH = 1.05;
const LOG_GROWTH = Math.log(GROWTH);
/** Number of buckets: enough for a response time of an hour; longer ones are counted in the last. */
const BUCKETS = 312;

const [SPACE, ZERO, NINE, COLON] = [32, 48, 57, 58];
const encoder = new TextEncoder();
/** The text that is being parsed: millions of histograms are, and bytes are read twice as fast as characters. */
let bytes = new Uint8Array(4096);

/**
 * Response times on a logarithmic scale: bucket 0 is for less than 1 ms, bucket `i` for those from
 * 1.05^(i-1) to 1.05^i ms. Histograms can be added, and every quantile of the sum is accurate to 5 %.
 */
export class Histogram {
  readonly #counts = new Float64Array(BUCKETS);
  #total = 0;

  /** Adds a response time in milliseconds. */
  add(milliseconds: number): void {
    this.#addTo(findBucket(milliseconds), 1);
  }

  /** Adds a formatted histogram, `weight` times: less than 1 for a part of it. Anything that is no pair is skipped. */
  addText(text: string, weight = 1): void {
    if (bytes.length <= text.length * 3) bytes = new Uint8Array(text.length * 3 + 1);
    const { written } = encoder.encodeInto(text, bytes);
    bytes[written] = SPACE;
    let [index, number] = [-1, 0];
    for (let place = 0; place <= written; place++) {
      const byte = bytes[place]!;
      if (byte >= ZERO && byte <= NINE) number = number * 10 + byte - ZERO;
      else {
        if (byte === COLON) index = number;
        else {
          if (index >= 0) this.#addTo(Math.min(index, BUCKETS - 1), number * weight);
          index = -1;
        }
        number = 0;
      }
    }
  }

  /** The response time that a share of all, from 0 to 1, does not exceed; `undefined` if it is empty. */
  quantile(share: number): number | undefined {
    if (this.#total === 0) return undefined;
    // A share of a sum of parts may miss a whole number by the last bit.
    const rank = share * this.#total - 1e-9;
    let seen = 0;
    for (let index = 0; index < BUCKETS; index++) {
      seen += this.#counts[index]!;
      if (seen > 0 && seen >= rank) return computeMiddle(index);
    }
    return computeMiddle(BUCKETS - 1);
  }

  /** Number of response times up to a limit in milliseconds, accurate to the bucket it falls into. */
  countUpTo(limit: number): number {
    let count = 0;
    for (let index = 0; index < BUCKETS && computeMiddle(index) <= limit; index++) {
      count += this.#counts[index]!;
    }
    return count;
  }

  /**
   * Formats it as `index:count` pairs joined by spaces, without the empty buckets.
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

function findBucket(milliseconds: number): number {
  if (!(milliseconds >= 1)) return 0;
  return Math.min(BUCKETS - 1, 1 + Math.floor(Math.log(milliseconds) / LOG_GROWTH + 1e-9));
}

/** The response time that represents a bucket: in its middle on the logarithmic scale. */
function computeMiddle(index: number): number {
  return index === 0 ? 0 : GROWTH ** (index - 0.5);
}
