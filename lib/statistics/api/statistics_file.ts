import * as v from "valibot";
import { about } from "../../config/keys/values.ts";
import type { WindowName } from "../../history/windows.ts";
import { formatTime } from "../../time.ts";
import { schemaAddress } from "../../version.ts";
import type { SiteReport } from "../report/report.ts";
import { type ResponseTimes, roundShare, type Statistics } from "../statistics.ts";
import type { Redact } from "./badge.ts";

const TIMES = v.object({
  count: about("Successful checks that they are of.", whole(1)),
  mean: about("Arithmetic mean.", whole()),
  min: about("The shortest.", whole()),
  max: about("The longest.", whole()),
  p50: about("The median: half of them take at most as long.", whole()),
  p95: about("95 percent of them take at most as long.", whole()),
  p99: about("99 percent of them take at most as long.", whole()),
});

const OBJECTIVE = v.object({
  target: about("Share of the time that the site shall be up.", share()),
  met: v.optional(about("Whether it is; absent where nothing was observed.", v.boolean())),
  budget: about("Seconds that the site may be down in the window.", whole()),
  left: about("Seconds of the budget that are left; below 0 where it is overspent.", whole(-1e12)),
});

/** What other programs are told of a site in a window; all that is not known is left out. */
export const WINDOW = v.object({
  coverage: v.optional(
    about("Observed share of the window, from the first check of the site on.", share()),
  ),
  uptime: v.optional(
    about(
      "1 - down / (observed - maintenance); absent where nothing was observed: no data.",
      share(),
    ),
  ),
  observed: about("Seconds that checks speak for, maintenance included.", whole()),
  down: about("Seconds in confirmed outages.", whole()),
  degraded: about(
    "Seconds in which the site was slow or not quite right; it counts as up.",
    whole(),
  ),
  maintenance: about("Seconds in maintenance, which count neither as up nor as down.", whole()),
  checks: about("Checks that learnt something about the site.", whole()),
  outages: about("Outages that fall into the window, also in part.", whole()),
  degradations: about("Incidents in which the site was degraded at most.", whole()),
  longestOutage: about("Seconds of the longest outage within the window.", whole()),
  mttr: v.optional(about("Mean time to recovery in seconds; absent without outages.", whole())),
  mtbf: v.optional(about("Mean time between failures in seconds; absent without any.", whole())),
  apdex: v.optional(about("Apdex, for the threshold given above; absent without checks.", share())),
  responseTime: v.optional(
    about("Milliseconds of successful checks; absent where none was successful.", TIMES),
  ),
  objective: v.optional(about("How the site keeps to its service level objective.", OBJECTIVE)),
});

/** What {@linkcode WINDOW} reads. */
export type WindowStatistics = v.InferOutput<typeof WINDOW>;

/** Statistics rounded to what matters, so that files stay small and change only where something has changed. */
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

/** To a millionth, which is half a minute of a year. */
function fine(value: number | undefined): number | undefined {
  return value === undefined ? undefined : roundShare(value, 6);
}

function share() {
  return v.pipe(v.number(), v.minValue(0), v.maxValue(1));
}

function whole(least = 0) {
  return v.pipe(v.number(), v.integer(), v.minValue(least));
}

/** The name of the schema that says what is in the file. */
export const STATISTICS_SCHEMA = "statistics";

/** What the file says; all that is not known is left out. */
export const SITE_STATISTICS = v.object({
  $schema: about("Address of the schema that the file keeps to.", v.string()),
  slug: about("The name that the files of the site go by.", v.string()),
  name: about("The name of the site, as people read it.", v.string()),
  startTime: v.optional(about("When the site was first monitored.", moment())),
  lastUpdated: v.optional(
    about("The last check that found out how the site is, or that it is in maintenance.", moment()),
  ),
  apdexThreshold: about(
    "Milliseconds up to which an answer satisfies.",
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

/** The text of a site's file of statistics. */
export function formatStatistics(
  { site, history, record, lastCheck = record?.lastUpdated, statistics }: SiteReport,
  redact: Redact,
): string {
  const own = (name: WindowName) => windowStatistics(statistics[name]);
  const text: SiteStatistics = {
    $schema: schemaAddress(STATISTICS_SCHEMA),
    slug: site.slug,
    name: redact(site.name),
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
