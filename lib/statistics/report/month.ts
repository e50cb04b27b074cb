import type { Window } from "../../history/windows.ts";

/** A calendar month of a time zone. */
export interface Month {
  /** `YYYY-MM`. */
  name: string;
  /** The zone whose midnights are its ends, such as `Europe/Berlin`. */
  timezone: string;
  /** All of it, also what is still to come. */
  window: Window;
}

/**
 * A month by its name; `undefined` where that is none. In zones with daylight saving time two months of the
 * year have an hour more or less than others.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const hours = ["2026-03", "2026-05", "2026-10"].map((name) => {
 *   const { from, to } = monthOf(name, "Europe/Berlin")!.window;
 *   return (to - from) / 3_600_000;
 * });
 * assertEquals(hours, [743, 744, 745]);
 * assertEquals(monthOf("2026-13", "UTC"), undefined);
 * ```
 */
export function monthOf(name: string, timezone: string): Month | undefined {
  if (!/^\d{4}-(?:0[1-9]|1[0-2])$/.test(name)) return undefined;
  const month = Temporal.PlainYearMonth.from(name);
  const begin = (one: Temporal.PlainYearMonth) =>
    one.toPlainDate({ day: 1 }).toZonedDateTime(timezone).epochMilliseconds;
  return { name, timezone, window: { from: begin(month), to: begin(month.add({ months: 1 })) } };
}

/**
 * The last month that was over at a moment.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const newYear = Temporal.Instant.from("2025-12-31T23:30:00Z");
 * assertEquals(lastMonth(newYear, "UTC").name, "2025-11");
 * assertEquals(lastMonth(newYear, "Europe/Berlin").name, "2025-12");
 * ```
 */
export function lastMonth(time: Temporal.Instant, timezone: string): Month {
  const today = time.toZonedDateTimeISO(timezone).toPlainDate();
  return monthOf(today.subtract({ months: 1 }).toString().slice(0, 7), timezone)!;
}
