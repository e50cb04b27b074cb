import type { Heard, Told } from "./hear.ts";
import type { NewsEvent } from "./message.ts";

/** What a channel is told again, and what it knows then. */
export interface Reminded {
  reminders: NewsEvent[];
  told: readonly Told[];
}

/**
 * Reminds a channel of the sites that are still down or degraded, each so long after it was told, or last told again, as
 * `delays` say one after the other (milliseconds; the last one repeats). Where runs were missed, one
 * reminder makes up for all that were due; one that can't be sent now is none, and becomes due anew.
 */
export function remind(
  { held, told }: Heard,
  standing: readonly NewsEvent[],
  { delays, now }: { delays: readonly number[]; now: Temporal.Instant },
): Reminded {
  const reminders: NewsEvent[] = [];
  const after = told.map((one): Told => {
    const { slug, kind, flapping, incident, at, reminders: count = 0 } = one;
    const delay = delays[Math.min(count, delays.length - 1)];
    const event = standing.find((event) => event.slug === slug && event.incident === incident);
    if (delay === undefined || flapping || event?.kind !== kind) return one;
    if (
      now.epochMilliseconds - at.epochMilliseconds < delay ||
      held.some((event) => event.slug === slug)
    ) return one;
    reminders.push({ ...event, id: `${event.id}/reminder-${count + 1}`, reminder: true });
    return { ...one, at: now, reminders: count + 1 };
  });
  return { reminders, told: after };
}
