/**
 * A moment to the minute on the clocks of a zone.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const time = Temporal.Instant.from("2026-11-21T23:05:03Z");
 * assertEquals(zonedMinute(time, "Europe/Berlin"), "2026-11-22 00:05");
 * ```
 */
export function zonedMinute(time: Temporal.Instant, timezone: string): string {
  return zonedTime(time, timezone).slice(0, 16).replace("T", " ");
}

/**
 * A moment on the clocks of a zone with their distance from UTC, to the second.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const time = Temporal.Instant.from("2026-11-21T23:05:03.120Z");
 * assertEquals(zonedTime(time, "Europe/Berlin"), "2026-11-22T00:05:03+01:00");
 * ```
 */
export function zonedTime(time: Temporal.Instant, timezone: string): string {
  return time.toZonedDateTimeISO(timezone).toString({
    timeZoneName: "never",
    smallestUnit: "second",
  });
}
