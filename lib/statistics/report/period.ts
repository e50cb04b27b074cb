import type { ReportPeriod } from "../../config/channels/keys.ts";
import type { Window } from "../../history/windows.ts";

/** A week from Monday, or a calendar month, that is over. */
export interface Period {
  kind: ReportPeriod;
  /** `2026-W48` (ISO 8601) or `2026-11`. */
  id: string;
  /** Its first and its last day, `YYYY-MM-DD`. */
  first: string;
  last: string;
  /** From midnight to midnight in its time zone. */
  window: Window;
}

/**
 * Computes the last week or month that was over at a time.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const sunday = Temporal.Instant.from("2026-11-29T23:30:00Z");
 * assertEquals(lastPeriod("week", sunday, "UTC").id, "2026-W47");
 * const { id, first, last } = lastPeriod("week", sunday, "Europe/Vienna");
 * assertEquals([id, first, last], ["2026-W48", "2026-11-23", "2026-11-29"]);
 * assertEquals(lastPeriod("month", sunday, "Europe/Vienna").id, "2026-10");
 * ```
 */
export function lastPeriod(kind: ReportPeriod, time: Temporal.Instant, timezone: string): Period {
  const today = time.toZonedDateTimeISO(timezone).toPlainDate();
  const end = kind === "week"
    ? today.subtract({ days: today.dayOfWeek - 1 })
    : today.with({ day: 1 });
  const start = end.subtract(kind === "week" ? { days: 7 } : { months: 1 });
  const midnight = (day: Temporal.PlainDate) => day.toZonedDateTime(timezone).epochMilliseconds;
  return {
    kind,
    id: kind === "week"
      ? `${start.yearOfWeek}-W${String(start.weekOfYear).padStart(2, "0")}`
      : start.toString().slice(0, 7),
    first: start.toString(),
    last: end.subtract({ days: 1 }).toString(),
    window: { from: midnight(start), to: midnight(end) },
  };
}
