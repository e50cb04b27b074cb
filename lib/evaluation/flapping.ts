import type { Condition } from "../state.ts";
import { describeDuration, HOUR } from "../time.ts";

/** Results that tell whether a site is flapping. */
const RESULTS = 21;
/** Good results in a row after which a site is no longer flapping. */
export const CALM = 6;
/** Results in a row that are the same and not good, after which it is not flapping but down, or degraded. */
const STUCK = 12;
/** Results among the last that are the same and not good, after which that holds too, whatever lies between. */
const MOSTLY = 18;
/** Changes within an hour that are stated as such. */
const FEW = 3;

/** One letter for each result, the newest last: `u`p, d`e`graded, `d`own. */
const LETTERS: Readonly<Record<Condition, string>> = { up: "u", degraded: "e", down: "d" };

/** Number of changes of a site's state within some milliseconds. */
export type Flaps = { changes: number; within: number };

/** The last results, with one more. */
export function remember(recent: string, condition: Condition): string {
  return (recent + LETTERS[condition]).slice(-RESULTS);
}

/**
 * True if a site changes its state so often that its changes are no news: in more than the share
 * `threshold` of its last 21 results, and once it is, until it has been up for six in a row, or down, or
 * degraded, for twelve, or in 18 of those 21.
 *
 * @example
 * ```ts
 * import { assert } from "@std/assert";
 * assert(isFlapping("ududududududu", 0.5, false));
 * assert(!isFlapping("uuuuuuuuuuuuuuuuuuudu", 0.5, false));
 * assert(isFlapping("ududududududuuuuu", 0.5, true));
 * assert(!isFlapping("ududududududuuuuuu", 0.5, true));
 * assert(!isFlapping("udddddddddudddddddddd", 0.5, true));
 * ```
 */
export function isFlapping(recent: string, threshold: number, was: boolean): boolean {
  if (!was) return changesIn(recent) / (RESULTS - 1) > threshold;
  const last = recent.at(-1)!;
  const length = recent.length - recent.replace(/(.)\1*$/, "").length;
  if (last === LETTERS.up) return length < CALM;
  return length < STUCK && [...recent].filter((one) => one === last).length < MOSTLY;
}

/** Changes between the last results, one letter each. */
export function changesIn(recent: string): number {
  return [...recent].filter((one, index) => index > 0 && one !== recent[index - 1]).length;
}

/** Counts the recent changes of a site's state, given their times, the oldest first. */
export function flapsOf(changed: readonly Temporal.Instant[], now: Temporal.Instant): Flaps {
  const ages = changed.map((time) => now.since(time).total("milliseconds"));
  const inHour = ages.filter((age) => age <= HOUR).length;
  return inHour >= FEW || inHour === ages.length
    ? { changes: inHour, within: HOUR }
    : { changes: ages.length, within: Math.ceil(ages[0]! / HOUR) * HOUR };
}

/**
 * The changes of a flapping site in words.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals(flapsText({ changes: 9, within: 3_600_000 }), "9 changes in the last hour");
 * assertEquals(flapsText({ changes: 11, within: 10_800_000 }), "11 changes in the last 3 hours");
 * ```
 */
export function flapsText({ changes, within }: Flaps): string {
  const time = within <= HOUR ? "hour" : describeDuration(within);
  return `${changes} ${changes === 1 ? "change" : "changes"} in the last ${time}`;
}
