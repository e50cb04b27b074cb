import { windowBack, type WindowName } from "../history/windows.ts";
import type { Report } from "../statistics/report/report.ts";
import { floorToDay } from "../time.ts";

/** When the first of the sites was first monitored, in milliseconds since 1970; absent while nothing is known. */
export function findMonitoringStart(sites: Report["sites"]): number | undefined {
  const starts = sites.flatMap(({ samples }) => samples.first ?? []);
  return starts.length === 0 ? undefined : Math.min(...starts);
}

/**
 * True if a window starts before monitoring did, so that it shows no more than a shorter one.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const [first, now] = ["2026-11-24T18:00:00Z", "2026-11-28T10:00:00Z"].map(Date.parse) as [number, number];
 * assertEquals((["day", "week", "all"] as const).map((name) => isBeyondMonitoring(name, { first, now })), [false, true, false]);
 * ```
 */
export function isBeyondMonitoring(
  name: WindowName,
  { first, now }: { first?: number; now: number },
): boolean {
  if (first === undefined) return name !== "all";
  return windowBack(name, now, first).from < floorToDay(first);
}
