/**
 * The value that would stand at an index if some values were in ascending order. They are moved so far
 * that none before that index is greater, and none behind it less: much faster than to sort them all.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals(selectRank(Float64Array.of(40, 15, 50, 20, 35), 1), 20);
 * ```
 */
export function selectRank(values: Float64Array, index: number): number {
  let [from, to] = [0, values.length - 1];
  while (from < to) {
    const pivot = values[(from + to) >> 1]!;
    let [low, high] = [from, to];
    while (low <= high) {
      while (values[low]! < pivot) low++;
      while (values[high]! > pivot) high--;
      if (low > high) break;
      const swapped = values[low]!;
      values[low++] = values[high]!;
      values[high--] = swapped;
    }
    if (index <= high) to = high;
    else if (index >= low) from = low;
    else break;
  }
  return values[index]!;
}
