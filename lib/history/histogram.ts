/** Each bucket is this much wider than the one before. */
const GROWTH = 1.05;
const LOG_GROWTH = Math.log(GROWTH);
/** Number of buckets: enough for a response time of an hour; longer ones are counted in the last. */
const BUCKETS = 312;

const [SPACE, ZERO, NINE, COLON] = [32, 48, 57, 58];

/**
 * Response times on a logarithmic scale: bucket 0 is for less than 1 ms, bucket `i` for those from
 * 1.05^(i-1) to 1.05^i ms. Histograms can be added, and every quantile of the sum is accurate to 5 %.
 */
export class Histogram {
  readonly #counts = new Array<number>(BUCKETS).fill(0);
  #total = 0;

  /** Adds a response time in milliseconds. */
  add(milliseconds: number): void {
    this.addCount(findBucket(milliseconds), 1);
  }

  /** Adds a count to a bucket, or to the last one instead of one beyond it. */
  addCount(bucket: number, count: number): void {
    this.#counts[Math.min(bucket, BUCKETS - 1)]! += count;
    this.#total += count;
  }

  /** The response time that a share of all, from 0 to 1, does not exceed; `undefined` if it is empty. */
  quantile(share: number): number | undefined {
    if (this.#total === 0) return undefined;
    // 0.95 * 20 is a little more than 19.
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
   * ```
   */
  format(): string {
    const pairs: string[] = [];
    this.#counts.forEach((count, index) => {
      if (count > 0) pairs.push(`${index}:${count}`);
    });
    return pairs.join(" ");
  }
}

/** Formatted histograms, parsed once: sums of many parts of them are needed. */
export class ParsedHistograms {
  /** Buckets, each followed by its count. */
  readonly #pairs: Uint32Array;
  /** Index of the first pair of each histogram, and of the one after the last. */
  readonly #starts: number[] = [0];

  /** Anything in the texts that is no pair is skipped. */
  constructor(texts: readonly string[]) {
    const pairs: number[] = [];
    for (const text of texts) {
      appendPairs(text, pairs);
      this.#starts.push(pairs.length);
    }
    this.#pairs = new Uint32Array(pairs);
  }

  /**
   * Adds those from one index up to another to a histogram.
   *
   * @example
   * ```ts
   * import { assertEquals } from "@std/assert";
   * const histogram = new Histogram();
   * new ParsedHistograms(["140:7", "99:2", "99:1 rubbish 140:3"]).addTo(histogram, 1, 3);
   * assertEquals(histogram.format(), "99:3 140:3");
   * ```
   */
  addTo(histogram: Histogram, from: number, to: number): void {
    const end = this.#starts[to]!;
    for (let at = this.#starts[from]!; at < end; at += 2) {
      histogram.addCount(this.#pairs[at]!, this.#pairs[at + 1]!);
    }
  }
}

function appendPairs(text: string, pairs: number[]): void {
  let [bucket, number] = [-1, 0];
  for (let place = 0; place <= text.length; place++) {
    const code = place < text.length ? text.charCodeAt(place) : SPACE;
    if (code >= ZERO && code <= NINE) number = number * 10 + code - ZERO;
    else {
      if (code === COLON) bucket = number;
      else {
        if (bucket >= 0) pairs.push(bucket, number);
        bucket = -1;
      }
      number = 0;
    }
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
