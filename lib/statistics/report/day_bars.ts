import type { State } from "../../state.ts";
import { firstFrom } from "../days_in.ts";
import { secondsByDay } from "../seconds_by_day.ts";
import { dateOf, DAY, dayOf } from "../../time.ts";
import type { SiteReport } from "./report.ts";

/** How a site was on one UTC day. Lengths of time are in seconds, as in the statistics of that day. */
export interface DayBar {
  /** `YYYY-MM-DD`. */
  date: string;
  /** Time that checks speak for, maintenance included. */
  observed: number;
  /** Of the observed time: in confirmed outages, degraded, and in maintenance. */
  down: number;
  degraded: number;
  maintenance: number;
  /** 1 - down / (observed - maintenance), from 0 to 1; absent where nothing was observed outside of maintenance. */
  uptime?: number;
  /** The worst that any of the day was; `maintenance` where some of it was and nothing worse, `unknown` where nothing was observed. */
  worst: State;
}

/**
 * How a site was on each of the last UTC days, oldest first: `count` of them, today's included as far as
 * it has gone.
 */
export function dayBars(
  { evidence: { days, spans, now } }: Pick<SiteReport, "evidence">,
  count: number,
): DayBar[] {
  const last = dayOf(now);
  const first = last - (count - 1) * DAY;
  const all = Array.from({ length: count }, () => ({
    observed: 0,
    down: 0,
    degraded: 0,
    maintenance: 0,
  }));
  for (const span of spans) {
    if (span.to <= first) continue;
    const { state } = span;
    for (const [day, seconds] of secondsByDay({ ...span, from: Math.max(first, span.from) })) {
      const times = all[(day - first) / DAY]!;
      times.observed += seconds;
      if (state !== "up" && state !== "unknown") times[state] += seconds;
    }
  }
  days.forEach(({ from, totals }) => {
    const times = all[(from - first) / DAY]!;
    times.observed += totals.observedTime;
    times.down += Math.min(totals.downTime, totals.observedTime);
    times.degraded += totals.degradedTime;
    times.maintenance += totals.maintenanceTime;
  }, firstFrom(days, first));
  return all.map((times, index) => {
    const { observed, down, degraded, maintenance } = times;
    const judged = observed - maintenance;
    return {
      date: dateOfDay(first + index * DAY),
      observed,
      down,
      degraded,
      maintenance,
      uptime: judged <= 0 ? undefined : Math.max(0, 1 - down / judged),
      worst: worstOf(times),
    };
  });
}

const DATES = new Map<number, string>();

/** Date of a day, given its begin; every site has the same hundreds of them. */
function dateOfDay(day: number): string {
  let known = DATES.get(day);
  if (known === undefined) DATES.set(day, known = dateOf(day));
  return known;
}

/** The worst state of some time, however short. */
export function worstOf(
  { observed, down, degraded, maintenance }: Pick<
    DayBar,
    "observed" | "down" | "degraded" | "maintenance"
  >,
): State {
  if (down > 0) return "down";
  if (degraded > 0) return "degraded";
  if (maintenance > 0) return "maintenance";
  return observed > 0 ? "up" : "unknown";
}
