import { DAY_NAMES, type QuietHours } from "../config/channels/quiet_keys.ts";

/**
 * True in quiet hours: from one time of the day, included, to another, excluded, on the next day if that is
 * earlier. A time that DST skips is that much later, and of one that occurs twice the first counts.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const hours = { from: "22:00", to: "07:00", timezone: "Europe/Vienna" };
 * const times = ["2026-11-21T20:59Z", "2026-11-21T21:00Z", "2026-11-22T05:59Z", "2026-11-22T06:00Z"];
 * assertEquals(times.map((time) => isQuiet(hours, Temporal.Instant.from(time))), [false, true, true, false]);
 * ```
 */
export function isQuiet(
  { from, to, days, timezone: timeZone = "UTC" }: QuietHours,
  now: Temporal.Instant,
): boolean {
  const today = now.toZonedDateTimeISO(timeZone).toPlainDate();
  // Zones that have changed sides of the date line have skipped a whole day.
  return [-2, -1, 0].some((offset) => {
    const date = today.add({ days: offset });
    if (!(days?.includes(DAY_NAMES[date.dayOfWeek - 1]!) ?? true)) return false;
    const [last, plainTime] = to === "24:00"
      ? [date.add({ days: 1 }), "00:00"]
      : [from < to ? date : date.add({ days: 1 }), to];
    const start = date.toZonedDateTime({ timeZone, plainTime: from }).toInstant();
    const end = last.toZonedDateTime({ timeZone, plainTime }).toInstant();
    return Temporal.Instant.compare(start, now) <= 0 && Temporal.Instant.compare(now, end) < 0;
  });
}
