/**
 * A moment as every stored file writes it: ISO 8601 in UTC, to the millisecond.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals(formatTime(Temporal.Instant.from("2026-11-21T11:05:03.12+01:00")), "2026-11-21T10:05:03.120Z");
 * ```
 */
export function formatTime(time: Temporal.Instant): string {
  // Much faster than the moment's own way, and there are many in a log.
  return new Date(time.epochMilliseconds).toISOString();
}

/** A moment to the minute in UTC, `YYYY-MM-DD HH:MM`. */
export function utcMinute(time: Temporal.Instant): string {
  return formatTime(time).slice(0, 16).replace("T", " ");
}

/** The UTC day of a moment, `YYYY-MM-DD`. */
export function utcDay(time: Temporal.Instant): string {
  return formatTime(time).slice(0, 10);
}

const UNITS = [["day", 86_400], ["hour", 3_600], ["minute", 60], ["second", 1]] as const;

/**
 * A length of time in words, its two largest units.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals(describeDuration(7_500_000), "2 hours, 5 minutes");
 * assertEquals(describeDuration(1_000), "1 second");
 * assertEquals(describeDuration(340), "0.3 seconds");
 * ```
 */
export function describeDuration(milliseconds: number): string {
  if (milliseconds < 1000) return `${(milliseconds / 1000).toFixed(1)} seconds`;
  let rest = Math.round(milliseconds / 1000);
  const words: string[] = [];
  for (const [unit, seconds] of UNITS) {
    const count = Math.floor(rest / seconds);
    rest -= count * seconds;
    if (count > 0) words.push(`${count} ${unit}${count === 1 ? "" : "s"}`);
    else if (words.length > 0) break;
    if (words.length === 2) break;
  }
  return words.join(", ");
}
