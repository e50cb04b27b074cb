import { isDigit, LINE_END, ZERO } from "./log_bytes.ts";

const [BLANK, COLON] = [32, 58];
/** The greatest number that is packed. */
const MOST = 9999;
/** How many pairs a packed histogram has at most. */
const PAIRS = 511;

/** Integers that a packed histogram takes at most. */
export const PACKED_HISTOGRAM = 1 + PAIRS;

/**
 * Packs the histogram that stands somewhere in a log: puts how many pairs it has into a list, from a place
 * on, and then they: the count of each in the lower half of an integer, its index above. Returns up to where the
 * text could be made of them again; -1 where it is none that is packed. Histograms of years are added up many
 * times, and digits are read slowly: the first of each number, which it always has, apart from the others,
 * as a processor foresees most branches then.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const packed = new Int32Array(1 + PACKED_HISTOGRAM);
 * const pack = (text: string) => packHistogram(new TextEncoder().encode(text), 0, packed, 1);
 * assertEquals([pack("96:200 100:4\n"), unpackHistogram(packed, 1)], [12, "96:200 100:4"]);
 * assertEquals([pack("\n"), unpackHistogram(packed, 1)], [0, ""]);
 * assertEquals([pack("96:200\r\n"), pack("1:2:3"), pack("0:1")], [6, 3, 3]);
 * assertEquals([pack(" 96:2"), pack("96:0200")], [0, 4]);
 * const others = ["096:2", "96:200 ", "96", "96:", "1 2", "1:10000"];
 * assertEquals(others.map(pack), others.map(() => -1));
 * ```
 */
export function packHistogram(
  log: Uint8Array,
  from: number,
  packed: Int32Array,
  place: number,
): number {
  let at = from;
  let end = place;
  // What is behind the pair before: another follows a blank.
  let byte = isDigit(log[at]!) ? BLANK : LINE_END;
  while (byte === BLANK) {
    let index = log[at]! - ZERO;
    if (!(index >= 0 && index <= 9)) return -1;
    for (byte = log[++at]!; isDigit(byte) && index > 0; byte = log[++at]!) {
      index = 10 * index + byte - ZERO;
    }
    if (byte !== COLON || index > MOST) return -1;
    let count = log[++at]! - ZERO;
    if (!(count >= 0 && count <= 9)) return -1;
    for (byte = log[++at]!; isDigit(byte) && count > 0; byte = log[++at]!) {
      count = 10 * count + byte - ZERO;
    }
    if (count > MOST || end - place === PAIRS) return -1;
    packed[++end] = index << 16 | count;
    if (byte === BLANK) at++;
  }
  packed[place] = end - place;
  return at;
}

/** The text that was packed at a place. */
export function unpackHistogram(packed: Int32Array, place: number): string {
  const pairs = packed.subarray(place + 1, place + 1 + packed[place]!);
  return Array.from(pairs, (pair) => `${pair >>> 16}:${pair & 0xffff}`).join(" ");
}
