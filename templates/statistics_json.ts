import { roundShare } from "../lib/statistics/percent.ts";
import type { Statistics } from "../lib/statistics/statistics.ts";

/** Statistics as data: shares from 0 to 1, whole seconds, milliseconds; `null` where nothing is known. */
export function statisticsJson(own: Statistics): Readonly<Record<string, unknown>> {
  const { responseTimes, objective } = own;
  return {
    coverage: share(own.coverage),
    uptime: share(own.uptime),
    observed: Math.round(own.observed),
    down: Math.round(own.down),
    degraded: Math.round(own.degraded),
    maintenance: Math.round(own.maintenance),
    checks: Math.round(own.checks),
    outages: own.outages,
    degradations: own.degradations,
    longestOutage: Math.round(own.longestOutage),
    mttr: whole(own.mttr),
    mtbf: whole(own.mtbf),
    apdex: own.apdex === undefined ? null : roundShare(own.apdex, 3),
    responseTime: responseTimes === undefined ? null : Object.fromEntries(
      Object.entries(responseTimes).map(([name, value]) => [name, Math.round(value)]),
    ),
    objective: objective === undefined ? null : {
      target: Number(objective.target.toPrecision(12)),
      met: objective.isMet ?? null,
      budget: Math.round(objective.budget),
      left: Math.round(objective.left),
    },
  };
}

function share(value: number | undefined): number | null {
  return value === undefined ? null : roundShare(value, 6);
}

function whole(value: number | undefined): number | null {
  return value === undefined ? null : Math.round(value);
}
