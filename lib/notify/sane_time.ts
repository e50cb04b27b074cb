/** How far ahead a run that started later may be; what lies further ahead was written by a clock that was wrong. */
const OVERLAP = { minutes: 10 };

/** A time that an earlier run has written, or now where that run's clock was wrong: nothing waits for longer because of it. */
export function saneTime(time: Temporal.Instant, now: Temporal.Instant): Temporal.Instant {
  return Temporal.Instant.compare(time, now.add(OVERLAP)) > 0 ? now : time;
}

/** Milliseconds that have passed since a time that an earlier run has written; negative where that one started later. */
export function elapsed(since: Temporal.Instant, now: Temporal.Instant): number {
  return now.epochMilliseconds - saneTime(since, now).epochMilliseconds;
}
