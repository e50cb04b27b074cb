import type { MaintenancePlans } from "../../lib/incidents/maintenance/plan_maintenance.ts";
import type { SiteWindow, SiteWindows } from "../../lib/evaluation/results.ts";

/** Sites that are in maintenance until a moment. */
export function windowsOf(
  slugs: readonly string[],
  until: Temporal.Instant,
  expected: SiteWindow["expected"] = "down",
): SiteWindows {
  return new Map(slugs.map((slug) => [slug, { until, expected }]));
}

/** One window of the configuration that has its sites down. */
export function plansOf(
  slugs: readonly string[],
  start: Temporal.Instant,
  until: Temporal.Instant,
): MaintenancePlans {
  if (slugs.length === 0) return { configured: [] };
  const sites = new Map(slugs.map((slug) => [slug, "down" as const]));
  const window = { source: "configuration" as const, name: "Move", start, until, sites, text: "" };
  return { configured: [window] };
}
