import type { PlannedWindow, SiteWindow, SiteWindows } from "./window.ts";

/**
 * The sites that are in maintenance at a moment, given all windows that go on or are still to come. Of
 * windows of one site that overlap or follow each other the end of the last counts, and the most that any
 * of those that go on lets expect.
 */
export function siteWindows(
  windows: readonly Pick<PlannedWindow, "start" | "until" | "sites">[],
  now: Temporal.Instant,
): SiteWindows {
  const ascending = windows.toSorted((one, other) =>
    Temporal.Instant.compare(one.start, other.start)
  );
  const found = new Map<string, SiteWindow>();
  for (const { start, until, sites } of ascending) {
    for (const [slug, expected] of sites) {
      if (expected === "none") continue;
      const known = found.get(slug);
      const reach = known?.until ?? now;
      const isMet = Temporal.Instant.compare(start, reach) <= 0 &&
        Temporal.Instant.compare(until, reach) > 0;
      const goesOn = Temporal.Instant.compare(start, now) <= 0 &&
        Temporal.Instant.compare(until, now) > 0;
      if (known === undefined && goesOn) found.set(slug, { until, expected });
      else if (known !== undefined && (isMet || goesOn)) {
        found.set(slug, {
          until: isMet ? until : known.until,
          expected: goesOn && expected === "down" ? expected : known.expected,
        });
      }
    }
  }
  return found;
}
