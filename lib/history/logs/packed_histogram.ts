const [BLANK, ZERO, NINE, COLON] = [32, 48, 57, 58];
/** As many digits has every number that is packed at most, and as many pairs a histogram. */
const DIGITS = 4;
const PAIRS = 511;

/** Numbers that a packed histogram takes at most. */
export const PACKED_LENGTH = 1 + 2 * PAIRS;

/**
 * Packs the histogram that stands somewhere in a log: puts how many numbers it has into a list, from a place
 * on, and then they, index and count by turns. Returns where its text ends; -1 where that could not be made
 * of the numbers again. Digits have to be guessed at one by one, and histograms of years are added up many
 * times.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const packed = new Uint16Array(1 + PACKED_LENGTH);
 * const pack = (text: string) => packHistogram(new TextEncoder().encode(text), 0, packed, 1);
 * assertEquals([pack("96:200 100:4\n"), unpackHistogram(packed, 1)], [12, "96:200 100:4"]);
 * assertEquals([pack("\n"), unpackHistogram(packed, 1)], [0, ""]);
 * assertEquals([pack("96:200\r\n"), pack("1:2:3")], [6, 3]);
 * const others = ["96:0200", "96:200 ", " 96:2", "96", "96:", "1 2", "1:10000"];
 * assertEquals(others.map(pack), [-1, -1, 0, -1, -1, -1, -1]);
 * ```
 */
export function packHistogram(
  log: Uint8Array,
  from: number,
  packed: Uint16Array,
  place: number,
): number {
  let end = place + 1;
  let at = from;
  for (let byte = log[at]!; byte >= ZERO && byte <= NINE; byte = log[++at]!) {
    for (let part = 0; part < 2; part++) {
      const begin = at;
      byte = log[at]!;
      let value = 0;
      for (; byte >= ZERO && byte <= NINE; byte = log[++at]!) value = 10 * value + byte - ZERO;
      const length = at - begin;
      if (length !== 1 && (length === 0 || length > DIGITS || log[begin] === ZERO)) return -1;
      if (part === 0 && log[at++] !== COLON) return -1;
      packed[end++] = value;
    }
    if (byte !== BLANK) break;
    const next = log[at + 1]!;
    if (!(next >= ZERO && next <= NINE) || end - place > PACKED_LENGTH - 2) return -1;
  }
  packed[place] = end - place - 1;
  return at;
}

/** The text that was packed at a place. */
export function unpackHistogram(packed: Uint16Array, place: number): string {
  const end = place + 1 + packed[place]!;
  const pairs: string[] = [];
  for (let at = place + 1; at < end; at += 2) pairs.push(`${packed[at]}:${packed[at + 1]}`);
  return pairs.join(" ");
}
