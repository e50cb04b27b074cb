import { isScheduledDay, type ScheduleTimes } from "../../config/keys/schedule.ts";

/** Days after which a schedule that has none does not come again: longer than from one 29 February to the next. */
const PATIENCE = 366 * 9;

/**
 * The moments of a schedule in a time zone, from one on, ascending; without an end where it has any. A time
 * that clocks skip comes that much later, and one that comes twice counts once, the first time, as in
 * calendars (RFC 5545, section 3.3.5).
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { scheduleTimes, type ScheduleTimes } from "../../config/keys/schedule.ts";
 * const times = scheduleTimes("30 2 * * SUN") as ScheduleTimes;
 * const starts = scheduledStarts(times, "Europe/Berlin", Temporal.Instant.from("2027-03-27T00:00:00Z"));
 * assertEquals(starts.take(2).map(String).toArray(), ["2027-03-28T01:30:00Z", "2027-04-04T00:30:00Z"]);
 * ```
 */
export function* scheduledStarts(
  times: ScheduleTimes,
  timeZone: string,
  from: Temporal.Instant,
): Generator<Temporal.Instant, void> {
  // What the day before skips may come after midnight.
  let date = from.toZonedDateTimeISO(timeZone).toPlainDate().subtract({ days: 1 });
  let last: Temporal.Instant | undefined;
  for (let empty = 0; empty < PATIENCE; empty++, date = date.add({ days: 1 })) {
    if (!isScheduledDay(date, times)) continue;
    empty = 0;
    for (const start of startsOf(date, times, timeZone)) {
      if (Temporal.Instant.compare(start, from) < 0) continue;
      if (last !== undefined && Temporal.Instant.compare(start, last) <= 0) continue;
      last = start;
      yield start;
    }
  }
}

function startsOf(
  date: Temporal.PlainDate,
  { hours, minutes }: ScheduleTimes,
  timeZone: string,
): Temporal.Instant[] {
  const starts = hours.flatMap((hour) =>
    minutes.map((minute) =>
      date.toZonedDateTime({ timeZone, plainTime: new Temporal.PlainTime(hour, minute) })
        .toInstant()
    )
  );
  return starts.sort(Temporal.Instant.compare);
}
