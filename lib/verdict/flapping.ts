import type { Condition } from "../state.ts";

/** Results that tell whether a site is flapping. */
const RESULTS = 21;

/** One letter for each result, the newest last: `u`p, d`e`graded, `d`own. */
const LETTERS: Readonly<Record<Condition, string>> = { up: "u", degraded: "e", down: "d" };

/** The last results, with one more. */
export function remember(recent: string, condition: Condition): string {
  return (recent + LETTERS[condition]).slice(-RESULTS);
}

/**
 * Whether a site changes its state so often that its changes are no news: in more than the share
 * `threshold` of its last 21 results, and once it is, until that is half of it.
 *
 * @example
 * ```ts
 * import { assert } from "@std/assert";
 * assert(isFlapping("ududududududu", 0.5, false));
 * assert(!isFlapping("uuuuuuuuuuuuuuuuuuudu", 0.5, false));
 * ```
 */
export function isFlapping(recent: string, threshold: number, was: boolean): boolean {
  const changes = [...recent].filter((one, index) => index > 0 && one !== recent[index - 1]);
  return changes.length / (RESULTS - 1) > (was ? threshold / 2 : threshold);
}
