/** Colours that a palette holds at most. */
const MOST = 256;

/** A picture by numbers: each pixel is a place in the palette. */
export interface Indexed {
  /** 0xRRGGBB, the most frequent first. */
  palette: number[];
  indices: Uint8Array;
}

/**
 * Gives an opaque picture a palette. The most frequent colours stay exactly what they are; of pictures with more
 * than 256 the others, which are steps of smoothed edges, become the nearest of those.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const pixels = new Uint8Array([255, 0, 0, 255, 0, 0, 255, 255, 0, 0, 255, 255]);
 * const { palette, indices } = indexColours(pixels);
 * assertEquals(palette, [0x0000ff, 0xff0000]);
 * assertEquals([...indices], [1, 0, 0]);
 * ```
 */
export function indexColours(pixels: Uint8Array): Indexed {
  const words = wordsOf(pixels);
  const counts = countWords(words);
  const order = [...counts].map(([word, count]) => ({ word, count, colour: colourOf(word) }))
    .sort((one, other) => other.count - one.count || one.colour - other.colour);
  const palette = order.slice(0, MOST).map(({ colour }) => colour);
  const places = new Map(order.map(({ word, colour }, place) => [
    word,
    place < MOST ? place : nearest(colour, palette),
  ]));
  const indices = new Uint8Array(words.length);
  for (let from = 0, to; from < words.length; from = to) {
    to = endOfRun(words, from);
    const place = places.get(words[from]!)!;
    for (let at = from; at < to; at++) indices[at] = place;
  }
  return { palette, indices };
}

/**
 * A word for each pixel, red in its lowest byte, as all platforms of the runtime are little-endian. They are
 * signed, because those of opaque colours are small integers then, which a map finds several times as fast.
 */
function wordsOf(pixels: Uint8Array): Int32Array {
  const aligned = pixels.byteOffset % 4 === 0 ? pixels : pixels.slice();
  return new Int32Array(aligned.buffer, aligned.byteOffset, aligned.length / 4);
}

function colourOf(word: number): number {
  return (word & 255) << 16 | word & 0xff00 | word >>> 16 & 255;
}

/** How often each word occurs. */
function countWords(words: Int32Array): Map<number, number> {
  const counts = new Map<number, number>();
  for (let from = 0, to; from < words.length; from = to) {
    to = endOfRun(words, from);
    counts.set(words[from]!, (counts.get(words[from]!) ?? 0) + to - from);
  }
  return counts;
}

/** Where the pixels end that are like the first of them: most of a graph is long runs of one colour. */
function endOfRun(words: Int32Array, from: number): number {
  const word = words[from];
  let to = from + 1;
  while (to < words.length && words[to] === word) to++;
  return to;
}

function nearest(colour: number, palette: readonly number[]): number {
  let best = 0;
  let least = Infinity;
  for (let place = 0; place < palette.length; place++) {
    const other = palette[place]!;
    const red = (colour >> 16) - (other >> 16);
    const green = (colour >> 8 & 255) - (other >> 8 & 255);
    const blue = (colour & 255) - (other & 255);
    const distance = 2 * red * red + 4 * green * green + 3 * blue * blue;
    if (distance < least) [best, least] = [place, distance];
  }
  return best;
}
