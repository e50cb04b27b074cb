/** A day and perhaps a time as people write them, then what says how far from UTC that is. */
const WRITTEN =
  /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::[0-5]\d(?:\.\d{1,9})?)?))? ?(Z|UTC|[+-]\d\d:?\d\d)?$/i;

/**
 * A moment as people write it; `undefined` where it is none. Without `Z`, `UTC` or an offset it is in the
 * time zone given: a time that clocks skip there is that much later, and of one that comes twice the first
 * is meant, as in calendars (RFC 5545, section 3.3.5).
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const read = (text: string) => String(readMoment(text, "Europe/Berlin"));
 * assertEquals(read("2026-12-24 22:00"), "2026-12-24T21:00:00Z");
 * assertEquals(read("2026-12-24T22:00:00Z"), "2026-12-24T22:00:00Z");
 * assertEquals(read("2026-12-24"), "2026-12-23T23:00:00Z");
 * assertEquals(read("2027-03-28T02:30"), "2027-03-28T01:30:00Z");
 * assertEquals(read("tomorrow"), "undefined");
 * ```
 */
export function readMoment(text: string, timeZone: string): Temporal.Instant | undefined {
  const [, day, time = "00:00", offset] = WRITTEN.exec(text.trim()) ?? [];
  if (day === undefined) return undefined;
  try {
    const moment = offset === undefined
      ? Temporal.PlainDateTime.from(`${day}T${time}`, { overflow: "reject" })
        .toZonedDateTime(timeZone).toInstant()
      : Temporal.Instant.from(`${day}T${time}${/^[zu]/i.test(offset) ? "Z" : offset}`);
    // Files hold no more, and a window is known again by its begin.
    return moment.round({ smallestUnit: "millisecond", roundingMode: "floor" });
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
