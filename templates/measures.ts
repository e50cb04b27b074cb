import { formatPercent } from "../lib/statistics/percent.ts";
import { describeDuration, largestUnits } from "../lib/time.ts";

const DAY = 86_400;

/** What stands where nothing is known. */
export const NOTHING = "–";

/** A share of the time in percent, or other words where there is none. */
export function formatShare(share: number | undefined, none = NOTHING): string {
  return share === undefined ? none : formatPercent(share);
}

const wholeNumber = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });

/** Milliseconds with their unit, or other words where there are none. */
export function formatMilliseconds(milliseconds: number | undefined, none = NOTHING): string {
  return milliseconds === undefined ? none : `${wholeNumber.format(Math.round(milliseconds))} ms`;
}

/**
 * A target in percent, as it was configured; given as a share.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals([0.999, 0.99995, 1].map(formatTarget), ["99.9%", "99.995%", "100%"]);
 * ```
 */
export function formatTarget(target: number): string {
  return `${targetPercent(target)}%`;
}

/** Percent of a share that was made of a percentage, without what the division left behind. */
export function targetPercent(target: number): number {
  return Number((target * 100).toPrecision(12));
}

/**
 * Seconds in the fewest letters: the two largest units, but no seconds beside ten minutes, no hours beside ten days.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const texts = [40 * 86_400, 90_000, 7_500, 2_576, 90, 0.2].map(shortDuration);
 * assertEquals(texts, ["40d", "1d 1h", "2h 5m", "42m", "1m 30s", "0s"]);
 * ```
 */
export function shortDuration(seconds: number): string {
  // What does not fit is cut, as in longer words: what is not over yet has not been.
  const coarse = seconds >= 10 * DAY ? DAY : seconds >= 600 ? 60 : 1;
  const shown = coarse === 1 ? Math.round(seconds) : Math.floor(seconds / coarse) * coarse;
  return largestUnits(shown).map(([count, unit]) => `${count}${unit[0]}`).join(" ") || "0s";
}

/**
 * Seconds in words, whole ones; a dash where there are none.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals([7_500, 0, undefined].map((seconds) => longDuration(seconds)), ["2 hours, 5 minutes", "–", "–"]);
 * ```
 */
export function longDuration(seconds: number | undefined): string {
  return seconds === undefined || Math.round(seconds) < 1
    ? NOTHING
    : describeDuration(seconds * 1000);
}
