import { percentile, rankOf } from "./response_times.ts";
import { sortValues } from "./sort_values.ts";

/** Whole values below it are counted, and how many each block of them has, so that a rank is found in few steps. */
const LIMIT = 4096;
const BLOCK_BITS = 6;
const counts = new Uint32Array(LIMIT);
const blocks = new Uint32Array(LIMIT >> BLOCK_BITS);

/**
 * Percentiles of values, none of which is `NaN`, by nearest rank. Those of response times are found by the
 * million, and nearly all are whole and small: counting those takes a fraction of the time of sorting. Only
 * where that does not tell the values are put into ascending order.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const shares = [0.2, 0.5, 1];
 * assertEquals(percentilesOf(Float64Array.of(35, 20, 15, 50, 40), shares), [15, 35, 50]);
 * assertEquals(percentilesOf(Float64Array.of(9_000, 70, 15), shares), [15, 70, 9_000]);
 * assertEquals(percentilesOf(Float64Array.of(9, 0.5, 70), shares), [0.5, 9, 70]);
 * ```
 */
export function percentilesOf(values: Float64Array, shares: readonly number[]): number[] {
  const ranks = shares.map((share) => rankOf(share, values.length));
  const counted = count(values);
  const found = ranks.every((rank) => rank <= counted) ? ranks.map(valueOfRank) : undefined;
  forget(values);
  if (found !== undefined) return found;
  const ascending = sortValues(values);
  return shares.map((share) => percentile(ascending, share));
}

/** Counts whole values below the limit, and returns how many they are; none where others lie between them. */
function count(values: Float64Array): number {
  let counted = 0;
  for (let index = 0; index < values.length; index++) {
    const value = values[index]!;
    if (value >= LIMIT) continue;
    if (value < 0 || (value | 0) !== value) return 0;
    counts[value]!++;
    blocks[value >> BLOCK_BITS]!++;
    counted++;
  }
  return counted;
}

/** The counted value of a rank: as many are not greater, itself among them. */
function valueOfRank(rank: number): number {
  let [block, seen] = [0, 0];
  while (seen + blocks[block]! < rank) seen += blocks[block++]!;
  let value = block << BLOCK_BITS;
  while (seen + counts[value]! < rank) seen += counts[value++]!;
  return value;
}

function forget(values: Float64Array): void {
  for (let index = 0; index < values.length; index++) {
    const value = values[index]! | 0;
    if (value < 0 || value >= LIMIT) continue;
    counts[value] = 0;
    blocks[value >> BLOCK_BITS] = 0;
  }
}
