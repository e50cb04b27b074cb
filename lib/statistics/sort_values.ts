/** So few values are sorted fastest by moving each to its place. */
const FEW = 32;
/** Counting is faster only where no value is much larger than there are values. */
const LARGEST = 8;

/**
 * Puts values into ascending order, none of which is `NaN`, and returns them. Response times are many, whole
 * and small: of such it is enough to count how often there is each.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const values = Float64Array.from({ length: 50 }, (_, index) => 97 - index);
 * assertEquals(sortValues(values.slice()), values.toReversed());
 * ```
 */
export function sortValues(values: Float64Array): Float64Array {
  if (values.length <= FEW) return inserted(values);
  let most = 0;
  for (let index = 0; index < values.length; index++) {
    const value = values[index]!;
    if (value < 0 || (value | 0) !== value) return values.sort();
    if (value > most) most = value;
  }
  return most > LARGEST * values.length ? values.sort() : counted(values, most);
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

function counted(values: Float64Array, most: number): Float64Array {
  const counts = new Uint32Array(most + 1);
  for (let index = 0; index < values.length; index++) counts[values[index]!]!++;
  let at = 0;
  for (let value = 0; value <= most; value++) {
    for (let left = counts[value]!; left > 0; left--) values[at++] = value;
  }
  return values;
}
