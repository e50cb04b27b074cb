import { COUNTED, countTable } from "./count_table.ts";

/** So few values are sorted fastest by moving each to its place. */
const FEW = 64;
/** With so many values it is enough to count how often there is each of the small ones, where all are whole. */
const MANY = 256;

/**
 * Puts values into ascending order, none of which is `NaN`, and returns them. Response times are sorted by
 * the million, and nearly all are whole and small.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * for (const length of [5, 100, 1000, 5000]) {
 *   const values = Float64Array.from({ length }, (_, index) => (7 * index) % length);
 *   assertEquals(sortValues(values.slice()), values.toSorted());
 * }
 * ```
 */
export function sortValues(values: Float64Array): Float64Array {
  if (values.length <= FEW) return inserted(values);
  return values.length >= MANY && areWhole(values) ? counted(values) : values.sort();
}

function areWhole(values: Float64Array): boolean {
  for (let index = 0; index < values.length; index++) {
    const value = values[index]!;
    if (value < 0 || Math.trunc(value) !== value) return false;
  }
  return true;
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

function counted(values: Float64Array): Float64Array {
  const counts = countTable();
  const large: number[] = [];
  for (let index = 0; index < values.length; index++) {
    const value = values[index]!;
    if (value < COUNTED) counts[value]!++;
    else large.push(value);
  }
  let at = 0;
  for (let value = 0; value < COUNTED; value++) {
    for (let left = counts[value]!; left > 0; left--) values[at++] = value;
  }
  values.set(Float64Array.from(large).sort(), at);
  return values;
}
