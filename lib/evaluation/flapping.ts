import type { Condition } from "../state.ts";
import type { Language } from "../text/language.ts";
import { HOUR } from "../time.ts";

const RESULTS = 21;
/** Consecutive up results after which a site is no longer flapping. */
export const CALM = 6;
/** Consecutive down results, or degraded ones, after which it is no longer flapping. */
const STUCK = 12;
const MOSTLY = 18;
/** Fewest changes within an hour that are reported for that hour. */
const FEW = 3;

/** Stored letters: `u`p, d`e`graded, `d`own. */
const LETTERS: Readonly<Record<Condition, string>> = { up: "u", degraded: "e", down: "d" };

/** Changes of a site's state within some milliseconds. */
export type Flaps = { changes: number; within: number };

export function addRecent(recent: string, condition: Condition): string {
  return (recent + LETTERS[condition]).slice(-RESULTS);
}

/**
 * True if a site changes its state too often for alerts: in more than the share `threshold` of its last 21
 * results. It settles after 6 consecutive up results, 12 of the same other state, or 18 of that in 21.
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
export function isFlapping(recent: string, threshold: number, wasFlapping: boolean): boolean {
  if (!wasFlapping) return countChanges(recent) / (RESULTS - 1) > threshold;
  const last = recent.at(-1)!;
  const length = recent.length - recent.replace(/(.)\1*$/, "").length;
  if (last === LETTERS.up) return length < CALM;
  return length < STUCK && [...recent].filter((one) => one === last).length < MOSTLY;
}

export function countChanges(recent: string): number {
  return [...recent].filter((one, index) => index > 0 && one !== recent[index - 1]).length;
}

/** Counts the recent changes, given their times, the oldest first. */
export function countFlaps(changed: readonly Temporal.Instant[], now: Temporal.Instant): Flaps {
  const ages = changed.map((time) => now.since(time).total("milliseconds"));
  const inHour = ages.filter((age) => age <= HOUR).length;
  return inHour >= FEW || inHour === ages.length
    ? { changes: inHour, within: HOUR }
    : { changes: ages.length, within: Math.ceil(ages[0]! / HOUR) * HOUR };
}

/**
 * Says how often a flapping site has changed.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { createLanguage } from "../text/language.ts";
 * import { mergeMessages } from "../text/messages.ts";
 * const english = createLanguage("en", mergeMessages());
 * assertEquals(sayFlaps({ changes: 9, within: 3_600_000 }, english), "9 changes in the last hour");
 * assertEquals(sayFlaps({ changes: 11, within: 10_800_000 }, english), "11 changes in the last 3 hours");
 * ```
 */
export function sayFlaps(
  { changes: COUNT, within }: Flaps,
  { say, duration }: Pick<Language, "say" | "duration">,
): string {
  return within <= HOUR
    ? say("flapsInHour", { COUNT })
    : say("flapsIn", { COUNT, TIME: duration(within) });
}
