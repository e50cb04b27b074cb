import type { Site } from "../../config/config.ts";
import type { Incident } from "../../history/incident.ts";
import type { Window } from "../../history/windows.ts";
import { measure } from "../measure.ts";
import { openIntervals, secondsOpen } from "../outages.ts";
import type { Statistics } from "../statistics.ts";
import type { Report, SiteReport } from "./report.ts";

/** A calendar month of a time zone. */
export interface Month {
  /** `YYYY-MM`. */
  name: string;
  /** The zone whose midnights are its ends, such as `Europe/Berlin`. */
  timezone: string;
  /** All of it, also the part in the future. */
  window: Window;
}

/**
 * Parses the name of a month; `undefined` if it is none. In zones with daylight saving time two months of the
 * year have an hour more or less than others.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const hours = ["2026-03", "2026-05", "2026-10"].map((name) => {
 *   const { from, to } = parseMonth(name, "Europe/Berlin")!.window;
 *   return (to - from) / 3_600_000;
 * });
 * assertEquals(hours, [743, 744, 745]);
 * assertEquals(parseMonth("2026-13", "UTC"), undefined);
 * ```
 */
export function parseMonth(name: string, timezone: string): Month | undefined {
  if (!/^\d{4}-(?:0[1-9]|1[0-2])$/.test(name)) return undefined;
  const month = Temporal.PlainYearMonth.from(name);
  const start = (one: Temporal.PlainYearMonth) =>
    one.toPlainDate({ day: 1 }).toZonedDateTime(timezone).epochMilliseconds;
  return { name, timezone, window: { from: start(month), to: start(month.add({ months: 1 })) } };
}

/**
 * The last month that was over at a moment.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const newYear = Temporal.Instant.from("2025-12-31T23:30:00Z");
 * assertEquals(lastMonth(newYear, "UTC").name, "2025-11");
 * assertEquals(lastMonth(newYear, "Europe/Berlin").name, "2025-12");
 * ```
 */
export function lastMonth(time: Temporal.Instant, timezone: string): Month {
  const today = time.toZonedDateTimeISO(timezone).toPlainDate();
  return parseMonth(today.subtract({ months: 1 }).toString().slice(0, 7), timezone)!;
}

export interface MonthIncident {
  site: Site;
  id: string;
  incident: Incident;
  /** Seconds that it was open, all of it so far. */
  seconds: number;
  /** Seconds of that which lie in the month. */
  within: number;
}

interface MonthSite {
  site: Site;
  statistics: Statistics;
  /** As seen from each of its locations; absent if fewer than two check it. */
  locations?: readonly { name: string; statistics: Statistics }[];
}

export interface MonthReport {
  month: Month;
  time: Temporal.Instant;
  /** In the order of the configuration; up to now if the month is not over. */
  sites: readonly MonthSite[];
  /** By their start. */
  incidents: readonly MonthIncident[];
  /** Names of the first and the last month with checks of any site; absent while nothing is known. */
  recorded?: { first: string; last: string };
}

export function computeMonthReport({ sites, time }: Report, month: Month): MonthReport {
  return {
    month,
    time,
    sites: sites.map(({ site, samples, locations }) => ({
      site,
      statistics: measure(samples, month.window, site),
      ...locations === undefined ? {} : {
        locations: locations.map(({ name, samples }) => ({
          name,
          statistics: measure(samples, month.window, { apdex: site.apdex }),
        })),
      },
    })),
    incidents: sites.flatMap((one) => selectIncidents(one, month, time.epochMilliseconds))
      .sort((one, other) => Temporal.Instant.compare(one.incident.start, other.incident.start)),
    recorded: findRecorded(sites, month.timezone),
  };
}

function findRecorded(sites: Report["sites"], timezone: string): MonthReport["recorded"] {
  const firsts = sites.flatMap(({ samples }) => samples.first ?? []);
  const lasts = sites.flatMap(({ lastCheck }) => lastCheck?.epochMilliseconds ?? []);
  if (firsts.length === 0 || lasts.length === 0) return undefined;
  const nameMonth = (time: number) =>
    Temporal.Instant.fromEpochMilliseconds(time).toZonedDateTimeISO(timezone)
      .toPlainDate().toPlainYearMonth().toString();
  const earliest = firsts.reduce((one, other) => Math.min(one, other));
  const latest = lasts.reduce((one, other) => Math.max(one, other));
  return { first: nameMonth(earliest), last: nameMonth(latest) };
}

function selectIncidents(
  { site, history, knownUntil }: SiteReport,
  { window }: Month,
  time: number,
): MonthIncident[] {
  return [...history.incidents].flatMap(([id, incident]): MonthIncident[] => {
    const now = incident.end === undefined ? knownUntil ?? time : time;
    const end = Math.min(window.to, now);
    // One that was over at once belongs to its month too.
    const overlaps = openIntervals(incident).some(({ from, to }) =>
      from < end && (Math.min(to, now) > window.from || from >= window.from)
    );
    if (!overlaps) return [];
    const seconds = secondsOpen(incident, { from: -Infinity, to: now });
    const within = secondsOpen(incident, { from: window.from, to: end });
    return [{ site, id, incident, seconds, within }];
  });
}

/** Returns whether a month was in the future, still running or over when a report of it was made. */
export function findPhase(
  { month: { window }, time }: Pick<MonthReport, "month" | "time">,
): "future" | "so far" | "over" {
  const now = time.epochMilliseconds;
  if (now < window.from) return "future";
  return now < window.to ? "so far" : "over";
}

export function isAnythingKnown({ sites, incidents }: MonthReport): boolean {
  return incidents.length > 0 || sites.some(({ statistics }) => statistics.observed > 0);
}
