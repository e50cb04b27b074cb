/** So few values are sorted fastest by moving each to its place. */
const FEW = 64;
/** With so many values it is enough to count how often there is each, where all are whole and less than a limit. */
const MANY = 256;
const LIMIT = 4096;

/**
 * Puts values into ascending order, none of which is `NaN`, and returns them. Response times are sorted by
 * the million, and nearly all are whole and small.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * for (const length of [5, 100, 1000]) {
 *   const values = Float64Array.from({ length }, (_, index) => (7 * index) % length);
 *   assertEquals(sortValues(values), Float64Array.from({ length }, (_, index) => (7 * index) % length).sort());
 * }
 * ```
 */
export function sortValues(values: Float64Array): Float64Array {
  if (values.length <= FEW) return inserted(values);
  const counts = values.length < MANY ? undefined : countsOf(values);
  return counts === undefined ? values.sort() : counted(values, counts);
}

/** How often there is each value; `undefined` where one can't be counted. */
function countsOf(values: Float64Array): Uint32Array | undefined {
  const counts = new Uint32Array(LIMIT);
  for (let index = 0; index < values.length; index++) {
    const value = values[index]!;
    if (!(value >= 0 && value < LIMIT) || Math.trunc(value) !== value) return undefined;
    counts[value]!++;
  }
  return counts;
}

function inserted(values: Float64Array): Float64Array {
  for (let index = 1; index < values.length; index++) {
    const value = values[index]!;
    let at = index;
    for (; at > 0 && values[at - 1]! > value; at--) values[at] = values[at - 1]!;
    values[at] = value;
  }
  return values;
}

function counted(values: Float64Array, counts: Uint32Array): Float64Array {
  let at = 0;
  for (let value = 0; value < LIMIT; value++) {
    for (let left = counts[value]!; left > 0; left--) values[at++] = value;
  }
  return values;
}
