import { orderGroups } from "../../lib/config/groups.ts";
import type { Site } from "../../lib/config/config.ts";
import type { HistoryRecord } from "../../lib/history/record.ts";
import type { LocationReport } from "../../lib/statistics/report/location_reports.ts";
import type { Report, SiteReport } from "../../lib/statistics/report/report.ts";
import type { ResponseTimes, Statistics } from "../../lib/statistics/statistics.ts";
import { MINUTE } from "../../lib/time.ts";
import { WINDOW_NAMES, windowBack, type WindowName } from "../../lib/history/windows.ts";

/** The moment that reports of the tests are about. */
export const REPORT_TIME = Temporal.Instant.from("2026-11-21T10:05:00Z");

/** When sites of the tests were first monitored: 40 days before. */
export const FIRST = REPORT_TIME.subtract({ hours: 40 * 24 });

/** Response times of one value, or with some of it changed. */
export function responseTimes(value: number, others: Partial<ResponseTimes> = {}): ResponseTimes {
  return {
    count: 10,
    mean: value,
    min: value,
    max: value,
    p50: value,
    p95: value,
    p99: value,
    ...others,
  };
}

/** Statistics of a window in which everything was well, or with some of it changed. */
export function statistics(name: WindowName, changes: Partial<Statistics> = {}): Statistics {
  const now = REPORT_TIME.epochMilliseconds;
  const window = windowBack(name, now, FIRST.epochMilliseconds);
  const observed = (window.to - Math.max(window.from, FIRST.epochMilliseconds)) / 1000;
  return {
    window,
    observed,
    maintenance: 0,
    down: 0,
    degraded: 0,
    coverage: 1,
    uptime: 1,
    checks: Math.floor(observed / 300),
    responseTimes: responseTimes(123),
    apdex: 1,
    outages: 0,
    incidents: 0,
    degradations: 0,
    longestOutage: 0,
    ...changes,
  };
}

/** Statistics of all windows, changed alike or each by its name. */
export function windows(
  changes: Partial<Statistics> | ((name: WindowName) => Partial<Statistics>) = {},
): SiteReport["statistics"] {
  const of = typeof changes === "function" ? changes : () => changes;
  const all = WINDOW_NAMES.map((name) => [name, statistics(name, of(name))]);
  return Object.fromEntries(all);
}

/** Statistics without coverage lack these keys. */
const NOTHING: Partial<Statistics> = {
  observed: 0,
  coverage: undefined,
  uptime: undefined,
  checks: 0,
  responseTimes: undefined,
  apdex: undefined,
};

/** Statistics of a window in which nothing was observed. */
export function noStatistics(name: WindowName): Statistics {
  return statistics(name, NOTHING);
}

/** The report of a site that is up, with changes. */
export function siteReport(site: Site, changes: Partial<SiteReport> = {}): SiteReport {
  const record: HistoryRecord = {
    url: site.url,
    status: "up",
    code: 200,
    responseTime: 123,
    lastUpdated: REPORT_TIME,
    startTime: FIRST,
    generator: "monitor-action v1.41.0",
    degraded: false,
    since: FIRST,
  };
  return {
    site,
    history: {
      slug: site.slug,
      first: FIRST.epochMilliseconds,
      checks: [],
      days: [],
      incidents: new Map(),
      maintenance: [],
    },
    samples: {
      first: FIRST.epochMilliseconds,
      now: REPORT_TIME.epochMilliseconds,
      checks: [],
      intervals: [],
      days: [],
      outages: [],
      opened: new Map(),
      degradations: new Map(),
      incidents: [],
      maintenance: [],
    },
    record,
    condition: "up",
    lastCheck: REPORT_TIME,
    statistics: windows(),
    downMinutes: new Map(),
    ...changes,
  };
}

/** The report of a location from which a site is up, with changes. */
export function locationReport(
  name: string,
  changes: Partial<LocationReport> = {},
): LocationReport {
  const { samples } = siteReport({ slug: name, url: "" } as Site);
  const last = { time: REPORT_TIME, state: changes.state ?? "up", code: 200, ms: 123 };
  return { name, state: "up", last, samples, statistics: windows(), ...changes };
}

/** The report of a site that was never checked. */
export function unknownSite(site: Site): SiteReport {
  const { history } = siteReport(site);
  return siteReport(site, {
    history: { ...history, first: undefined },
    record: undefined,
    condition: undefined,
    lastCheck: undefined,
    statistics: windows(NOTHING),
  });
}

/** A report of sites. */
export function report(...sites: SiteReport[]): Report {
  const interval = 5 * MINUTE;
  const groups = orderGroups(sites.map(({ site }) => site));
  const runs = { from: FIRST.epochMilliseconds, runs: 0, interval };
  return { time: REPORT_TIME, sites, isOutdated: false, runs, maintenance: [], groups };
}
