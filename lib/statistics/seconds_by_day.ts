import { DAY, dayOf } from "../time.ts";
import type { Window } from "../history/windows.ts";

/**
 * How many seconds of each UTC day a piece of time takes, by the begins of the days in milliseconds since
 * 1970.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const [from, to] = [Date.parse("2026-11-21T23:59:50Z"), Date.parse("2026-11-22T00:00:05Z")];
 * const [saturday, sunday] = [Date.parse("2026-11-21"), Date.parse("2026-11-22")];
 * assertEquals([...secondsByDay({ from, to })], [[saturday, 10], [sunday, 5]]);
 * ```
 */
export function* secondsByDay({ from, to }: Window): Generator<[day: number, seconds: number]> {
  for (let day = dayOf(from); day < to; day += DAY) {
    yield [day, (Math.min(to, day + DAY) - Math.max(from, day)) / 1000];
  }
}
