const [BLANK, ZERO, NINE, COLON] = [32, 48, 57, 58];
/** As many digits has every number that is packed at most. */
const DIGITS = 4;

/** How many numbers the histogram in a cell of so many bytes has at most; a pair is three bytes and a blank. */
export function packedLength(bytes: number): number {
  return 2 * Math.ceil((bytes + 1) / 4);
}

/**
 * Puts the indices and counts of a histogram in a log into a list from a place on, and returns where they end;
 * -1 where its text can't be made of them again. Text has to be guessed at digit by digit, and histograms
 * of years are added up again and again.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const packed = new Uint16Array(8);
 * const pack = (text: string) => packHistogram(new TextEncoder().encode(text), [0, text.length], packed, 1);
 * assertEquals(pack("96:200 100:4"), 5);
 * assertEquals(unpackHistogram(packed.subarray(1, 5)), "96:200 100:4");
 * const others = ["96:0200", "96:200 ", " 96:2", "96", "96:", "1:2:3", "1 2", "x", "1:10000"];
 * assertEquals(others.map(pack), others.map(() => -1));
 * ```
 */
export function packHistogram(
  log: Uint8Array,
  [from, to]: readonly [from: number, to: number],
  packed: Uint16Array,
  place: number,
): number {
  let end = place;
  let begin = from;
  let value = 0;
  let separator = COLON;
  for (let at = from; at <= to && from < to; at++) {
    const byte = at === to ? BLANK : log[at]!;
    if (byte >= ZERO && byte <= NINE) {
      value = 10 * value + byte - ZERO;
      continue;
    }
    const length = at - begin;
    const isNumber = length === 1 || (length > 1 && length <= DIGITS && log[begin] !== ZERO);
    if (!isNumber || byte !== separator) return -1;
    packed[end++] = value;
    separator = separator === COLON ? BLANK : COLON;
    begin = at + 1;
    value = 0;
  }
  return separator === COLON ? end : -1;
}

/** The text that was packed. */
export function unpackHistogram(packed: Uint16Array): string {
  const pairs: string[] = [];
  for (let at = 0; at < packed.length; at += 2) pairs.push(`${packed[at]}:${packed[at + 1]}`);
  return pairs.join(" ");
}
