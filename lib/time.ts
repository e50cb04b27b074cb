/** A moment as every stored file writes it: ISO 8601 in UTC, to the millisecond. */
export function formatTime(time: Temporal.Instant): string {
  // Much faster than the moment's own way, and there are many in a log.
  return formatMoment(time.epochMilliseconds);
}

/** Formats a moment in milliseconds since 1970 as {@linkcode formatTime} does. */
export function formatMoment(moment: number): string {
  return new Date(moment).toISOString();
}

/** A moment to the minute in UTC, `YYYY-MM-DD HH:MM`. */
export function utcMinute(time: Temporal.Instant): string {
  return formatTime(time).slice(0, 16).replace("T", " ");
}

/** The UTC day of a moment, `YYYY-MM-DD`; of a far year `+YYYYYY-MM-DD`. */
export function utcDay(time: Temporal.Instant): string {
  return formatTime(time).split("T", 1)[0]!;
}

export function isBefore(one: Temporal.Instant, other: Temporal.Instant): boolean {
  return Temporal.Instant.compare(one, other) < 0;
}

/** The earliest of some times, of which there must be one. */
export function earliest(...times: readonly Temporal.Instant[]): Temporal.Instant {
  return times.reduce((one, other) => isBefore(other, one) ? other : one);
}

/** The latest of some times, of which there must be one. */
export function latest(...times: readonly Temporal.Instant[]): Temporal.Instant {
  return times.reduce((one, other) => isBefore(one, other) ? other : one);
}

/** A minute, in milliseconds. */
export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** Milliseconds from which a response time is shown in larger units: a job may take hours. */
export const LONG_TIME = 2 * MINUTE;

/** Start of the UTC day of a moment, both in milliseconds since 1970. */
export function floorToDay(moment: number): number {
  return Math.floor(moment / DAY) * DAY;
}

/** The UTC day of a moment in milliseconds since 1970, `YYYY-MM-DD`. */
export function formatDate(moment: number): string {
  return new Date(moment).toISOString().slice(0, 10);
}

const UNITS = [["day", 86_400], ["hour", 3_600], ["minute", 60], ["second", 1]] as const;

/** A length of time in its two largest units, given in whole seconds; none for nothing. */
export function largestUnits(
  seconds: number,
): [count: number, unit: typeof UNITS[number][0]][] {
  const first = UNITS.findIndex(([, length]) => seconds >= length);
  if (first === -1) return [];
  let rest = seconds;
  return UNITS.slice(first, first + 2).flatMap(([unit, length]) => {
    const count = Math.floor(rest / length);
    rest -= count * length;
    return count > 0 ? [[count, unit]] : [];
  });
}

/**
 * A length of time in words, its two largest units.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals(describeDuration(7_500_000), "2 hours 5 minutes");
 * assertEquals(describeDuration(1_000), "1 second");
 * assertEquals(describeDuration(340), "0.3 seconds");
 * ```
 */
export function describeDuration(milliseconds: number): string {
  if (milliseconds < 1000) return `${(milliseconds / 1000).toFixed(1)} seconds`;
  return largestUnits(Math.round(milliseconds / 1000))
    .map(([count, unit]) => `${count} ${unit}${count === 1 ? "" : "s"}`).join(" ");
}

/** A length of time in words, its largest unit only. */
export function describeLargestUnit(milliseconds: number): string {
  return describeDuration(milliseconds).split(" ", 2).join(" ");
}

/**
 * Describes how often something happens, in the largest unit that needs no other.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals([MINUTE, 90 * MINUTE].map(describeInterval), ["every minute", "every 90 minutes"]);
 * ```
 */
export function describeInterval(milliseconds: number): string {
  const seconds = milliseconds / 1000;
  const [unit, length] = UNITS.find(([, length]) => seconds % length === 0) ?? UNITS.at(-1)!;
  return seconds === length ? `every ${unit}` : `every ${seconds / length} ${unit}s`;
}

/** Formats how long something took as the end of a sentence, ` after 5 minutes`; empty if that rounds to nothing. */
export function describeAfter(milliseconds: number): string {
  return milliseconds < 50 ? "" : ` after ${describeDuration(milliseconds)}`;
}
