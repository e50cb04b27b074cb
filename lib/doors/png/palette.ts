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
  const { colours, counts, numbers } = countColours(pixels);
  const order = colours.map((_, number) => number)
    .sort((a, b) => counts[b]! - counts[a]! || colours[a]! - colours[b]!);
  const palette = order.slice(0, MOST).map((number) => colours[number]!);
  const places = new Uint8Array(colours.length);
  order.forEach((number, place) => {
    places[number] = place < MOST ? place : nearest(colours[number]!, palette);
  });
  const indices = new Uint8Array(numbers.length);
  for (let at = 0; at < numbers.length; at++) indices[at] = places[numbers[at]!]!;
  return { palette, indices };
}

/** The different colours, how often each occurs, and the number of each pixel's colour. */
function countColours(pixels: Uint8Array) {
  // Read pixel by pixel, which is twice as fast as byte by byte: red is the lowest byte of each, as all platforms of
  // the runtime are little-endian.
  const aligned = pixels.byteOffset % 4 === 0 ? pixels : pixels.slice();
  const words = new Uint32Array(aligned.buffer, aligned.byteOffset, aligned.length / 4);
  const colours: number[] = [];
  const counts: number[] = [];
  const numbers = new Uint32Array(words.length);
  const known = new Map<number, number>();
  let number = -1;
  for (let at = 0; at < words.length; at++) {
    const word = words[at]!;
    if (at === 0 || word !== words[at - 1]) {
      number = known.get(word) ?? colours.length;
      if (number === colours.length) {
        known.set(word, number);
        colours.push((word & 255) << 16 | word & 0xff00 | word >>> 16 & 255);
        counts.push(0);
      }
    }
    numbers[at] = number;
    counts[number]!++;
  }
  return { colours, counts, numbers };
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
