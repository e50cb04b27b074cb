import type { ConfiguredMaintenance } from "../config/read_maintenance.ts";
import { scheduledStarts } from "./scheduled_starts.ts";
import type { PlannedWindow } from "./window.ts";

/**
 * The windows that a configuration has at a moment, those that go on and of each the next one that is
 * still to come, by their begin.
 */
export function configuredWindows(
  maintenance: readonly ConfiguredMaintenance[],
  now: Temporal.Instant,
): PlannedWindow[] {
  return maintenance.flatMap((one) => windowsOf(one, now)).sort((one, other) =>
    Temporal.Instant.compare(one.start, other.start)
  );
}

function windowsOf(
  { name, sites, begins, duration, timezone }: ConfiguredMaintenance,
  now: Temporal.Instant,
): PlannedWindow[] {
  const lasts = { milliseconds: duration };
  const starts = begins instanceof Temporal.Instant
    ? [begins]
    : scheduledStarts(begins, timezone, now.subtract(lasts));
  const windows: PlannedWindow[] = [];
  for (const start of starts) {
    const until = start.add(lasts);
    if (Temporal.Instant.compare(until, now) <= 0) continue;
    const expected = new Map(sites.map((slug) => [slug, "down" as const]));
    windows.push({ source: "configuration", name, start, until, sites: expected, text: "" });
    if (Temporal.Instant.compare(start, now) > 0) break;
  }
  return windows;
}
