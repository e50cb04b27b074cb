/**
 * What differs between two texts, line by line: `-` before a line that only the first has, `+` before one
 * that only the second has.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals(lineDifference("a\nb\nc\n", "a\nc\nd\n"), ["-b", "+d"]);
 * ```
 */
export function lineDifference(before: string, after: string): string[] {
  const old = before.split("\n");
  const made = after.split("\n");
  // The length of the longest run of lines that the rest of both have in common.
  const common = old.map(() => made.map(() => 0));
  const at = (one: number, other: number) => common[one]?.[other] ?? 0;
  for (let one = old.length - 1; one >= 0; one--) {
    for (let other = made.length - 1; other >= 0; other--) {
      common[one]![other] = old[one] === made[other]
        ? at(one + 1, other + 1) + 1
        : Math.max(at(one + 1, other), at(one, other + 1));
    }
  }
  const lines: string[] = [];
  let one = 0;
  let other = 0;
  while (one < old.length || other < made.length) {
    if (one < old.length && other < made.length && old[one] === made[other]) {
      one++;
      other++;
    } else if (
      other === made.length || (one < old.length && at(one + 1, other) >= at(one, other + 1))
    ) {
      lines.push(`-${old[one++]}`);
    } else {
      lines.push(`+${made[other++]}`);
    }
  }
  return lines;
}
