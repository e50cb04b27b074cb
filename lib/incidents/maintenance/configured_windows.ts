import type { ConfiguredMaintenance } from "../../config/read_maintenance.ts";
import { DAY } from "../../time.ts";
import { scheduledStarts } from "./scheduled_starts.ts";
import type { PlannedWindow } from "../../evaluation/window.ts";

/** Milliseconds ahead that pages and calendars tell of windows that come again and again, and the most of each. */
export const CALENDAR = 90 * DAY;
const MOST = 100;

/**
 * The windows that a configuration has at a moment, those that go on and of each the next one that is
 * still to come, by their begin. With a `reach` in milliseconds, all that begin within it, a hundred of each
 * at most.
 */
export function configuredWindows(
  maintenance: readonly ConfiguredMaintenance[],
  now: Temporal.Instant,
  reach = 0,
): PlannedWindow[] {
  const last = now.add({ milliseconds: reach });
  return maintenance.flatMap((one) => windowsOf(one, now, last)).sort((one, other) =>
    Temporal.Instant.compare(one.start, other.start)
  );
}

function windowsOf(
  { name, sites, begins, duration, timezone }: ConfiguredMaintenance,
  now: Temporal.Instant,
  last: Temporal.Instant,
): PlannedWindow[] {
  const lasts = { milliseconds: duration };
  const starts = begins instanceof Temporal.Instant
    ? [begins]
    : scheduledStarts(begins, timezone, now.subtract(lasts));
  const windows: PlannedWindow[] = [];
  let hasNext = false;
  for (const start of starts) {
    const until = start.add(lasts);
    if (Temporal.Instant.compare(until, now) <= 0) continue;
    const isFar = Temporal.Instant.compare(start, last) > 0 || windows.length >= MOST;
    if (hasNext && isFar) break;
    hasNext ||= Temporal.Instant.compare(start, now) > 0;
    const expected = new Map(sites.map((slug) => [slug, "down" as const]));
    windows.push({ source: "configuration", name, start, until, sites: expected, text: "" });
  }
  return windows;
}
