import type { SiteWindow, SiteWindows } from "../../lib/maintenance/window.ts";

/** Sites that are in maintenance until a moment. */
export function windowsOf(
  slugs: readonly string[],
  until: Temporal.Instant,
  expected: SiteWindow["expected"] = "down",
): SiteWindows {
  return new Map(slugs.map((slug) => [slug, { until, expected }]));
}
