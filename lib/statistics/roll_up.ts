import type { DayTotals } from "../history/daily_log.ts";
import { isSuccess, STATES } from "../state.ts";
import { DAY, dayOf } from "../time.ts";
import type { Evidence, RolledDay } from "./evidence.ts";
import { Histogram } from "./histogram.ts";
import { secondsByDay } from "./seconds_by_day.ts";

/** The totals of each day that is over and that checks speak for, ascending. */
export function rollUp(
  { checks, spans, now }: Pick<Evidence, "checks" | "spans" | "now">,
): RolledDay[] {
  const days = new Map<number, Entry>();
  const entryOf = (day: number) => {
    const entry = days.get(day) ?? { totals: nothing(), histogram: new Histogram() };
    days.set(day, entry);
    return entry;
  };
  for (let index = 0; index < checks.length;) {
    const day = dayOf(checks.times[index]!);
    if (day + DAY > now) break;
    const entry = entryOf(day);
    for (; index < checks.length && checks.times[index]! < day + DAY; index++) {
      const state = STATES[checks.states[index]!]!;
      entry.totals.checks++;
      entry.totals[state]++;
      const duration = checks.durations[index]!;
      if (isSuccess(state) && !Number.isNaN(duration)) addDuration(entry, duration);
    }
  }
  for (const span of spans) {
    const { state } = span;
    for (const [day, seconds] of secondsByDay(span)) {
      if (day + DAY > now) break;
      const { totals } = entryOf(day);
      totals.observedTime += seconds;
      if (state === "down") totals.downTime += seconds;
      else if (state === "degraded") totals.degradedTime += seconds;
      else if (state === "maintenance") totals.maintenanceTime += seconds;
    }
  }
  return [...days].map(([from, { totals, histogram }]) => {
    totals.responseTimes.histogram = histogram.format();
    return { from, totals };
  }).sort((one, other) => one.from - other.from);
}

/** A day while it is rolled up. */
interface Entry {
  totals: DayTotals;
  histogram: Histogram;
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

function addDuration({ totals: { responseTimes }, histogram }: Entry, duration: number): void {
  responseTimes.count++;
  responseTimes.sum += duration;
  responseTimes.min = Math.min(responseTimes.min, duration);
  responseTimes.max = Math.max(responseTimes.max, duration);
  histogram.add(duration);
}
