import { joinFitting } from "./fit_text.ts";
import type { SiteEvent } from "./message.ts";

type ReportEvent = Pick<SiteEvent, "error" | "figures">;

/** Longest report on one line, in UTF-16 units. */
const LONGEST = 2_000;

/**
 * The lines of a report below its headline: the first is about all sites, each of the others about one.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const report = {
 *   error: "From 2026-11-23 to 2026-11-29, UTC",
 *   figures: [{ name: "Shop", text: "100% uptime, no outages" }],
 * };
 * assertEquals(listReportLines(report), ["From 2026-11-23 to 2026-11-29, UTC", "Shop: 100% uptime, no outages"]);
 * ```
 */
export function listReportLines({ error, figures = [] }: ReportEvent): string[] {
  return [error, ...figures.map(({ name, text }) => `${name}: ${text}`)];
}

/** A report below its headline on one line. */
export function describeReport(event: ReportEvent): string {
  return joinFitting(listReportLines(event), { separator: "; ", longest: LONGEST });
}
