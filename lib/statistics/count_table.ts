/** Whole values below it have a place in {@linkcode countTable}: in milliseconds, nearly all response times. */
export const COUNTED = 4096;

const table = new Uint32Array(COUNTED);

/**
 * A table to count in how often there is each whole value below {@linkcode COUNTED}, with nothing in it. It is
 * the caller's until the next asks: making one for each would take longer than to sort the values of most.
 */
export function countTable(): Uint32Array {
  return table.fill(0);
}
