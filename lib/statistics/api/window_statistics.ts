import * as v from "valibot";
import { about } from "../../config/keys/values.ts";
import { roundShare } from "../percent.ts";
import type { ResponseTimes, Statistics } from "../statistics.ts";

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
