import type { DayTotals } from "../history/daily_log.ts";
import { STATES, SUCCESSFUL } from "../state.ts";
import { DAY, dayOf } from "../time.ts";
import type { Evidence } from "./evidence.ts";
import { firstAtOrAfter } from "./first_at_or_after.ts";
import { Histogram } from "./histogram.ts";
import { secondsByDay } from "./seconds_by_day.ts";
import type { Checks, RolledDay } from "./site_history.ts";

/** The totals of each day that is over and that checks speak for, ascending. */
export function rollUp(
  { checks, spans, now }: Pick<Evidence, "checks" | "spans" | "now">,
): RolledDay[] {
  const days = new Map<number, DayTotals>();
  const totalsOf = (day: number) => {
    const totals = days.get(day) ?? nothing();
    days.set(day, totals);
    return totals;
  };
  const histogram = new Histogram();
  for (let index = 0; index < checks.length;) {
    const day = dayOf(checks.times[index]!);
    if (day + DAY > now) break;
    const end = firstAtOrAfter(checks.times, day + DAY);
    addChecks(totalsOf(day), checks, { from: index, to: end, histogram });
    index = end;
  }
  for (const span of spans) {
    const { state } = span;
    for (const [day, seconds] of secondsByDay(span)) {
      if (day + DAY > now) break;
      const totals = totalsOf(day);
      totals.observedTime += seconds;
      if (state === "down") totals.downTime += seconds;
      else if (state === "degraded") totals.degradedTime += seconds;
      else if (state === "maintenance") totals.maintenanceTime += seconds;
    }
  }
  return [...days].map(([from, totals]) => ({ from, totals }))
    .sort((one, other) => one.from - other.from);
}

function nothing(): DayTotals {
  return {
    checks: 0,
    up: 0,
    degraded: 0,
    down: 0,
    maintenance: 0,
    unknown: 0,
    observedTime: 0,
    downTime: 0,
    degradedTime: 0,
    maintenanceTime: 0,
    responseTimes: { count: 0, sum: 0, min: Infinity, max: -Infinity, histogram: "" },
  };
}

/** Which checks are those of a day, by their indices, and a histogram that is lent for them. */
interface OfDay {
  from: number;
  to: number;
  histogram: Histogram;
}

function addChecks(
  totals: DayTotals,
  { states, durations }: Checks,
  { from, to, histogram }: OfDay,
): void {
  histogram.clear();
  const counts = STATES.map(() => 0);
  let [count, sum, min, max] = [0, 0, Infinity, -Infinity];
  for (let index = from; index < to; index++) {
    const state = states[index]!;
    counts[state]!++;
    const duration = durations[index]!;
    if (!SUCCESSFUL[state] || Number.isNaN(duration)) continue;
    count++;
    sum += duration;
    if (duration < min) min = duration;
    if (duration > max) max = duration;
    histogram.add(duration);
  }
  totals.checks = to - from;
  STATES.forEach((state, index) => totals[state] = counts[index]!);
  totals.responseTimes = { count, sum, min, max, histogram: histogram.format() };
}
