const [BLANK, ZERO, NINE, COLON] = [32, 48, 57, 58];
/** As many digits has every number that is packed at most, and as many pairs a histogram. */
const DIGITS = 4;
const PAIRS = 511;

/** Integers that a packed histogram takes at most. */
export const PACKED_HISTOGRAM = 1 + PAIRS;

/**
 * Packs the histogram that stands somewhere in a log: puts how many pairs it has into a list, from a place
 * on, and then they: the count of each in the lower half of an integer, its index above. Returns where its
 * text ends; -1 where that could not be made of the integers again. Digits have to be guessed at one by
 * one, and histograms of years are added up many times.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const packed = new Int32Array(1 + PACKED_HISTOGRAM);
 * const pack = (text: string) => packHistogram(new TextEncoder().encode(text), 0, packed, 1);
 * assertEquals([pack("96:200 100:4\n"), unpackHistogram(packed, 1)], [12, "96:200 100:4"]);
 * assertEquals([pack("\n"), unpackHistogram(packed, 1)], [0, ""]);
 * assertEquals([pack("96:200\r\n"), pack("1:2:3"), pack("0:1")], [6, 3, 3]);
 * const others = ["96:0200", "96:200 ", " 96:2", "96", "96:", "1 2", "1:10000"];
 * assertEquals(others.map(pack), [-1, -1, 0, -1, -1, -1, -1]);
 * ```
 */
export function packHistogram(
  log: Uint8Array,
  from: number,
  packed: Int32Array,
  place: number,
): number {
  packed[place] = 0;
  let at = from;
  let byte = log[at]!;
  if (!isDigit(byte)) return at;
  let pairs = 0;
  do {
    const begin = at;
    let index = 0;
    for (byte = log[at]!; isDigit(byte); byte = log[++at]!) index = 10 * index + byte - ZERO;
    if (byte !== COLON || !isNumber(log, begin, at)) return -1;
    const middle = ++at;
    let count = 0;
    for (byte = log[at]!; isDigit(byte); byte = log[++at]!) count = 10 * count + byte - ZERO;
    if (!isNumber(log, middle, at++) || pairs === PAIRS) return -1;
    packed[place + ++pairs] = index << 16 | count;
  } while (byte === BLANK);
  packed[place] = pairs;
  return at - 1;
}

function isDigit(byte: number): boolean {
  return byte >= ZERO && byte <= NINE;
}

/** Whether digits are a number as we write it. */
function isNumber(log: Uint8Array, from: number, to: number): boolean {
  const length = to - from;
  return length === 1 || (length > 1 && length <= DIGITS && log[from] !== ZERO);
}

/** The text that was packed at a place. */
export function unpackHistogram(packed: Int32Array, place: number): string {
  const pairs = packed.subarray(place + 1, place + 1 + packed[place]!);
  return Array.from(pairs, (pair) => `${pair >>> 16}:${pair & 0xffff}`).join(" ");
}
