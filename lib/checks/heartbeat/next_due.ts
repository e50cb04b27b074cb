import { isScheduledDay, type ScheduleTimes } from "../../config/schedule.ts";
import { HOUR, MINUTE } from "../../time.ts";

/** One time of a schedule, in milliseconds since 1970. */
interface Occurrence {
  first: number;
  due: number;
}

/** Days without an occurrence after which a schedule has none: longer than from one 29 February to the next. */
const PATIENCE = 366 * 9;

/**
 * Finds when a job is due next after a moment at which it ran. A run counts for every time of the schedule that
 * has come by then, so one that is early counts for the time before.
 *
 * Cron daemons differ if DST skips a time or repeats it, so any of their moments counts: for a skipped time from
 * the change of the clocks until as much later, for a repeated one from the first to the second.
 */
export function findNextDue(
  times: ScheduleTimes,
  timeZone: string,
  after: Temporal.Instant,
): Temporal.Instant {
  // A skipped time of the day before may fall after midnight.
  let date = after.toZonedDateTimeISO(timeZone).toPlainDate().subtract({ days: 1 });
  for (let day = 0; day < PATIENCE; day++, date = date.add({ days: 1 })) {
    const dues = listOccurrences(date, times, timeZone)
      .flatMap(({ first, due }) => first > after.epochMilliseconds ? due : []);
    if (dues.length > 0) return Temporal.Instant.fromEpochMilliseconds(Math.min(...dues));
  }
  throw new RangeError("The schedule has no times");
}

function listOccurrences(
  date: Temporal.PlainDate,
  times: ScheduleTimes,
  timeZone: string,
): Occurrence[] {
  if (!isScheduledDay(date, times)) return [];
  const offset = findSteadyOffset(date, timeZone);
  const midnight = Date.UTC(date.year, date.month - 1, date.day);
  return times.hours.flatMap((hour) =>
    times.minutes.map((minute) => {
      if (offset === undefined) return findOccurrence(date, { hour, minute }, timeZone);
      const due = midnight + hour * HOUR + minute * MINUTE - offset;
      return { first: due, due };
    })
  );
}

/** The offset from UTC in milliseconds if it does not change near a day: then its times need no calendar, which is slow. */
function findSteadyOffset(date: Temporal.PlainDate, timeZone: string): number | undefined {
  const [before, after] = [-1, 1].map((days) =>
    date.add({ days }).toZonedDateTime({ timeZone, plainTime: { hour: 12 } }).offsetNanoseconds
  );
  return before === after ? before! / 1e6 : undefined;
}

function findOccurrence(
  date: Temporal.PlainDate,
  time: { hour: number; minute: number },
  timeZone: string,
): Occurrence {
  const local = date.toPlainDateTime(time);
  const earlier = local.toZonedDateTime(timeZone, { disambiguation: "earlier" });
  const later = local.toZonedDateTime(timeZone, { disambiguation: "later" });
  const isSkipped = !later.toPlainDateTime().equals(local);
  const first = isSkipped ? earlier.getTimeZoneTransition("next")! : earlier;
  return { first: first.epochMilliseconds, due: later.epochMilliseconds };
}
