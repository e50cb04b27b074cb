import { COUNTED, countTable } from "./count_table.ts";
import { percentile, rankOf } from "./response_times.ts";
import { sortValues } from "./sort_values.ts";

/** So few values are put in order faster than counted. */
const FEW = 32;

/** Values that differ in so many bits at most, the last ones, are in one block. */
const BLOCK_BITS = 6;

/**
 * Percentiles of values, none of which is `NaN`, by nearest rank. Those of response times are found by the
 * million, and nearly all are whole and small: counting those takes a fraction of the time of sorting. Only
 * where they are few, or that does not tell, the values are put into ascending order.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const shares = [0.2, 0.5, 1];
 * assertEquals(percentilesOf(Float64Array.of(35, 20, 15, 50, 40), shares), [15, 35, 50]);
 * assertEquals(percentilesOf(Float64Array.of(9_000, 70, 15), shares), [15, 70, 9_000]);
 * assertEquals(percentilesOf(Float64Array.of(9, 0.5, 70), shares), [0.5, 9, 70]);
 * assertEquals(percentilesOf(Float64Array.of(80, 90), shares), [80, 80, 90]);
 * ```
 */
export function percentilesOf(values: Float64Array, shares: readonly number[]): number[] {
  if (values.length <= FEW) return inOrder(values, shares);
  const ranks = shares.map((share) => rankOf(share, values.length));
  const counts = countsOf(values);
  if (ranks.every((rank) => rank <= counts.total)) {
    return ranks.map((rank) => valueOfRank(counts, rank));
  }
  return inOrder(values, shares);
}

function inOrder(values: Float64Array, shares: readonly number[]): number[] {
  const ascending = sortValues(values);
  return shares.map((share) => percentile(ascending, share));
}

/** How often there is each of some values. */
interface Counts {
  /** Of each value; the next one who counts overwrites them. */
  each: Uint32Array;
  /** Of the values of each block, so that a rank is found in few steps. */
  blocks: Uint32Array;
  /** Of all. */
  total: number;
}

const blocks = new Uint32Array(COUNTED >> BLOCK_BITS);

/** Counts small whole values; the total is 0, and no rank is told, where others are not greater than all of these. */
function countsOf(values: Float64Array): Counts {
  const each = countTable();
  blocks.fill(0);
  let total = 0;
  for (let index = 0; index < values.length; index++) {
    const value = values[index]!;
    if (value >= COUNTED) continue;
    if (value < 0 || (value | 0) !== value) return { each, blocks, total: 0 };
    each[value]!++;
    blocks[value >> BLOCK_BITS]!++;
    total++;
  }
  return { each, blocks, total };
}

/** The counted value of a rank: as many are not greater, itself among them. */
function valueOfRank({ each, blocks }: Counts, rank: number): number {
  let block = 0;
  let seen = 0;
  while (seen + blocks[block]! < rank) seen += blocks[block++]!;
  let value = block << BLOCK_BITS;
  while (seen + each[value]! < rank) seen += each[value++]!;
  return value;
}
