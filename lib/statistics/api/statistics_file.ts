import * as v from "valibot";
import { about } from "../../config/keys/values.ts";
import type { WindowName } from "../../history/windows.ts";
import { formatTime } from "../../time.ts";
import { schemaAddress } from "../../version.ts";
import type { SiteReport } from "../report/report.ts";
import { type ResponseTimes, roundShare, type Statistics } from "../statistics.ts";

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
  budget: about("Seconds that the site may be down in the window.", whole()),
  left: about("Seconds of the budget that are left; below 0 if it is overspent.", whole(-1e12)),
});

/** Schema of the statistics of a window; unknown values are left out. */
export const WINDOW = v.object({
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
  outages: about("Outages that overlap the window.", whole()),
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

/** Output of {@linkcode WINDOW}. */
type WindowStatistics = v.InferOutput<typeof WINDOW>;

/** Rounds the statistics of a window, so that files stay small and change only if a figure does. */
export function windowStatistics(own: Statistics): WindowStatistics {
  const { coverage, uptime, mttr, mtbf, apdex, responseTimes, objective } = own;
  return {
    coverage: fine(coverage),
    uptime: fine(uptime),
    observed: Math.round(own.observed),
    down: Math.round(own.down),
    degraded: Math.round(own.degraded),
    maintenance: Math.round(own.maintenance),
    checks: Math.round(own.checks),
    outages: own.outages,
    degradations: own.degradations,
    longestOutage: Math.round(own.longestOutage),
    mttr: mttr === undefined ? undefined : Math.round(mttr),
    mtbf: mtbf === undefined ? undefined : Math.round(mtbf),
    apdex: apdex === undefined ? undefined : roundShare(apdex, 3),
    responseTime: responseTimes && timesOf(responseTimes),
    objective: objective && {
      target: objective.target,
      met: objective.isMet,
      budget: Math.round(objective.budget),
      left: Math.round(objective.left),
    },
  };
}

function timesOf(times: ResponseTimes): v.InferOutput<typeof TIMES> {
  return {
    count: Math.max(1, Math.round(times.count)),
    mean: Math.round(times.mean),
    min: Math.round(times.min),
    max: Math.round(times.max),
    p50: Math.round(times.p50),
    p95: Math.round(times.p95),
    p99: Math.round(times.p99),
  };
}

/** Rounds to a millionth, which is half a minute of a year. */
function fine(value: number | undefined): number | undefined {
  return value === undefined ? undefined : roundShare(value, 6);
}

function share() {
  return v.pipe(v.number(), v.minValue(0), v.maxValue(1));
}

function whole(least = 0) {
  return v.pipe(v.number(), v.integer(), v.minValue(least));
}

/** Name of the schema of the file. */
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
    v.object({
      day: WINDOW,
      week: WINDOW,
      month: WINDOW,
      quarter: WINDOW,
      year: WINDOW,
      all: WINDOW,
    }),
  ),
});

type SiteStatistics = v.InferOutput<typeof SITE_STATISTICS>;

/** Formats the statistics of a site. */
export function formatStatistics(
  { site, history, record, lastCheck = record?.lastUpdated, statistics }: SiteReport,
): string {
  const own = (name: WindowName) => windowStatistics(statistics[name]);
  const text: SiteStatistics = {
    $schema: schemaAddress(STATISTICS_SCHEMA),
    slug: site.slug,
    name: site.name,
    startTime: history.first === undefined
      ? undefined
      : formatTime(Temporal.Instant.fromEpochMilliseconds(history.first)),
    lastUpdated: record && lastCheck && formatTime(lastCheck),
    apdexThreshold: site.apdex,
    windows: {
      day: own("day"),
      week: own("week"),
      month: own("month"),
      quarter: own("quarter"),
      year: own("year"),
      all: own("all"),
    },
  };
  return `${JSON.stringify(text, null, 2)}\n`;
}

function moment() {
  return v.pipe(v.string(), v.isoTimestamp());
}
