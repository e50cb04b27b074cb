import type { StoredIncident } from "../history/stored_incidents.ts";
import { overlap, type Window } from "../history/windows.ts";
import { WEEKS } from "../statistics/medians.ts";
import { downIntervals } from "../statistics/outages.ts";
import { DAY, floorToDay, HOUR } from "../time.ts";
import { isIncident, type ListedIncident } from "./incidents.ts";

/** A time in which a site was down; `to` is `Infinity` while it is. */
export interface Outage extends Window {
  /** That of its incident. */
  id: string;
}

/** Lists the outages of a site's incidents, ascending. */
export function listOutages(incidents: readonly ListedIncident[]): Outage[] {
  return incidents.flatMap(([id, incident]) =>
    incident.kind === "down" ? downIntervals(incident).map((one) => ({ ...one, id })) : []
  ).sort((one, other) => one.from - other.from);
}

/**
 * Finds the outage that takes most of a time; `undefined` if there is none.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const outages = [{ from: 0, to: 4, id: "a" }, { from: 7, to: Infinity, id: "b" }];
 * const find = (from: number, to: number) => findLongestOutage(outages, { from, to })?.id;
 * assertEquals([find(0, 9), find(3, 9), find(4, 7)], ["a", "b", undefined]);
 * ```
 */
export function findLongestOutage(outages: readonly Outage[], window: Window): Outage | undefined {
  let [longest, most]: [Outage | undefined, number] = [undefined, 0];
  for (const one of outages) {
    if (one.from >= window.to) break;
    const length = overlap(one, window);
    if (length > most) [longest, most] = [one, length];
  }
  return longest;
}

/** The time of an incident's charts: from an hour before it to an hour after it, or now. */
export function toChartWindow({ start, end }: StoredIncident, now: Temporal.Instant): Window {
  const to = (end ?? now).epochMilliseconds + HOUR;
  return { from: start.epochMilliseconds - HOUR, to: Math.min(to, now.epochMilliseconds) };
}

/** Returns a function that tells if the page shows single checks of a UTC day: of the last weeks, and around incidents. */
export function findChartDays(
  incidents: Iterable<StoredIncident>,
  now: Temporal.Instant,
): (day: number) => boolean {
  const first = floorToDay(now.epochMilliseconds - WEEKS);
  const days = new Set<number>();
  for (const incident of incidents) {
    if (!isIncident(incident)) continue;
    const { from, to } = toChartWindow(incident, now);
    for (let day = floorToDay(from); day < to; day += DAY) days.add(day);
  }
  return (day) => day >= first || days.has(day);
}
