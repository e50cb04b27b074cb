import * as v from "valibot";
import { about } from "../../config/keys/values.ts";
import { WINDOW_NAMES, type WindowName } from "../../history/windows.ts";
import { STATES } from "../../state.ts";
import { formatMoment, formatTime } from "../../time.ts";
import { schemaAddress } from "../../version.ts";
import type { LocationReport } from "../report/location_reports.ts";
import type { SiteReport } from "../report/report.ts";
import { roundShare, type Statistics } from "../statistics.ts";

const TIMES = v.object({
  count: about("Number of successful checks.", whole(1)),
  mean: about("Arithmetic mean.", whole()),
  min: about("Shortest.", whole()),
  max: about("Longest.", whole()),
  p50: about("Median.", whole()),
  p95: about("95th percentile.", whole()),
  p99: about("99th percentile.", whole()),
});

const OBJECTIVE = v.object({
  target: about("Share of the time that the site shall be up.", share()),
  met: v.optional(about("True if it is met; absent if nothing was observed.", v.boolean())),
  budget: v.optional(
    about(
      "Seconds that the site may be down in the window; absent before there is a full day of data.",
      whole(),
    ),
  ),
  left: v.optional(
    about("Seconds of the budget that are left; below 0 if it is overspent.", whole(-1e12)),
  ),
});

/** Schema of the statistics of a window; unknown values are left out. */
const WINDOW = v.object({
  coverage: v.optional(
    about("Observed share of the window, from the first check of the site on.", share()),
  ),
  uptime: v.optional(
    about(
      "1 - down / (observed - maintenance); absent if nothing was observed: no data.",
      share(),
    ),
  ),
  observed: about("Seconds that checks cover, maintenance included.", whole()),
  down: about("Seconds in confirmed outages.", whole()),
  degraded: about(
    "Seconds in which the site was degraded, which counts as up.",
    whole(),
  ),
  maintenance: about("Seconds in maintenance, which count neither as up nor as down.", whole()),
  checks: about("Checks that had a result.", whole()),
  outages: about(
    "Times of being down that overlap the window; an incident that was reopened has several.",
    whole(),
  ),
  incidents: about("Incidents that were open in the window.", whole()),
  degradations: about(
    "Incidents that overlap the window and in which the site was never worse than degraded.",
    whole(),
  ),
  longestOutage: about("Seconds of the longest outage within the window.", whole()),
  mttr: v.optional(about("Mean time to recovery in seconds; absent without outages.", whole())),
  mtbf: v.optional(about("Mean time between failures in seconds; absent without any.", whole())),
  apdex: v.optional(about("Apdex, for the threshold given above; absent without checks.", share())),
  responseTime: v.optional(
    about("Milliseconds of successful checks; absent without any.", TIMES),
  ),
  objective: v.optional(about("The service level objective of the site.", OBJECTIVE)),
});

/** Schema of the statistics of a window as seen from one location. */
const LOCATION_WINDOW = v.pick(WINDOW, ["coverage", "uptime", "checks", "responseTime"]);

const LOCATION = v.object({
  name: about("Name of the location.", v.string()),
  state: about(
    "State of the site by the last result from there; unknown if that is too old.",
    v.picklist(STATES),
  ),
  lastUpdated: v.optional(about("Time of the run that recorded that result.", moment())),
  windows: about(
    "As those of the site, by all results from there: confirmed or not.",
    v.object(ofWindows(() => LOCATION_WINDOW)),
  ),
});

type WindowStatistics = v.InferOutput<typeof WINDOW>;

/** Rounds the statistics of a window, so that files stay small and change only if a figure does. */
export function windowStatistics(own: Statistics): WindowStatistics {
  const { coverage, uptime, mttr, mtbf, apdex, responseTimes, objective } = own;
  const { observed, down, degraded, maintenance, checks, longestOutage } = own;
  return {
    // A millionth is half a minute of a year.
    coverage: coverage && roundShare(coverage, 6),
    uptime: uptime && roundShare(uptime, 6),
    ...rounded({ observed, down, degraded, maintenance, checks }),
    outages: own.outages,
    incidents: own.incidents,
    degradations: own.degradations,
    ...rounded({ longestOutage }),
    mttr: roundKnown(mttr),
    mtbf: roundKnown(mtbf),
    apdex: apdex && roundShare(apdex, 3),
    responseTime: responseTimes && {
      ...rounded({ ...responseTimes }),
      // A day that the window cuts counts by its part.
      count: Math.max(1, Math.round(responseTimes.count)),
    },
    objective: objective && {
      target: objective.target,
      met: objective.isMet,
      budget: roundKnown(objective.budget),
      left: roundKnown(objective.left),
    },
  };
}

function rounded<K extends string>(values: Record<K, number>): Record<K, number> {
  const entries = Object.entries<number>(values);
  return Object.fromEntries(entries.map(([key, value]) => [key, Math.round(value)])) as Record<
    K,
    number
  >;
}

function roundKnown(value: number | undefined): number | undefined {
  return value === undefined ? undefined : Math.round(value);
}

function share() {
  return v.pipe(v.number(), v.minValue(0), v.maxValue(1));
}

function whole(least = 0) {
  return v.pipe(v.number(), v.integer(), v.minValue(least));
}

function ofWindows<T>(valueOf: (name: WindowName) => T): Record<WindowName, T> {
  const windows = WINDOW_NAMES.map((name) => [name, valueOf(name)]);
  return Object.fromEntries(windows);
}

export const STATISTICS_SCHEMA = "statistics";

/** Schema of the file; unknown values are left out. */
export const SITE_STATISTICS = v.object({
  $schema: about("Address of the schema of the file.", v.string()),
  slug: about("Slug: the name of the site's files.", v.string()),
  name: about("Name of the site.", v.string()),
  startTime: v.optional(about("Time at which the site was first monitored.", moment())),
  lastUpdated: v.optional(
    about("The last check that had a result, or was made in maintenance.", moment()),
  ),
  apdexThreshold: about(
    "Milliseconds up to which a response time satisfies.",
    v.pipe(v.number(), v.minValue(1)),
  ),
  windows: about(
    "Each measured back from one second after the last check: 24 hours, 7, 30, 90 and 365 days, and all time.",
    v.object(ofWindows(() => WINDOW)),
  ),
  locations: v.optional(
    about(
      "The site as seen from each of its locations; absent if fewer than two check it.",
      v.array(LOCATION),
    ),
  ),
});

type SiteStatistics = v.InferOutput<typeof SITE_STATISTICS>;

export function formatStatistics(
  { site, history, record, lastCheck = record?.lastUpdated, statistics, locations }: SiteReport,
): string {
  const text: SiteStatistics = {
    $schema: schemaAddress(STATISTICS_SCHEMA),
    slug: site.slug,
    name: site.name,
    startTime: history.first === undefined ? undefined : formatMoment(history.first),
    lastUpdated: record && lastCheck && formatTime(lastCheck),
    apdexThreshold: site.apdex,
    windows: ofWindows((name) => windowStatistics(statistics[name])),
    locations: locations?.map(toLocation),
  };
  return `${JSON.stringify(text, null, 2)}\n`;
}

/** The data of a location, with the keys of the file. */
function toLocation(
  { name, state, last, statistics }: LocationReport,
): v.InferOutput<typeof LOCATION> {
  return {
    name,
    state,
    lastUpdated: last && formatTime(last.time),
    windows: ofWindows((window) => locationWindow(statistics[window])),
  };
}

/** Statistics of a window that apply to a location, without those of incidents, which belong to the site. */
export function locationWindow(own: Statistics): v.InferOutput<typeof LOCATION_WINDOW> {
  const { coverage, uptime, checks, responseTime } = windowStatistics(own);
  return { coverage, uptime, checks, responseTime };
}

function moment() {
  return v.pipe(v.string(), v.isoTimestamp());
}
