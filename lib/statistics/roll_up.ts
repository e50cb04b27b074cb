import type { DayTotals } from "../history/daily_log.ts";
import { STATES, SUCCESSFUL } from "../state.ts";
import { DAY, dayOf } from "../time.ts";
import type { Evidence } from "./evidence.ts";
import { firstAtOrAfter } from "../history/first_at_or_after.ts";
import { Histogram, type WrittenHistogram } from "../history/histogram.ts";
import { secondsByDay } from "./seconds_by_day.ts";
import type { Checks, RolledDay } from "../history/site_history.ts";

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
  for (let index = 0; index < checks.length;) {
    const day = dayOf(checks.times[index]!);
    if (day + DAY > now) break;
    const end = firstAtOrAfter(checks.times, day + DAY);
    addChecks(totalsOf(day), checks, [index, end]);
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

/** Adds the checks of a day, given from which index up to which they are. */
function addChecks(totals: DayTotals, checks: Checks, range: readonly [number, number]): void {
  const { states, durations } = checks;
  const [from, to] = range;
  const counts = STATES.map(() => 0);
  let count = 0;
  let sum = 0;
  let min = Infinity;
  let max = -Infinity;
  for (let index = from; index < to; index++) {
    const state = states[index]!;
    counts[state]!++;
    const duration = durations[index]!;
    if (!SUCCESSFUL[state] || Number.isNaN(duration)) continue;
    count++;
    sum += duration;
    if (duration < min) min = duration;
    if (duration > max) max = duration;
  }
  totals.checks = to - from;
  STATES.forEach((state, index) => totals[state] = counts[index]!);
  totals.responseTimes = new CheckTimes(checks, range, { count, sum, min, max });
}

/** Response times of some checks. Their histogram is made when it is asked for: to be added, or to be written, which few do. */
class CheckTimes implements WrittenHistogram {
  readonly count: number;
  readonly sum: number;
  readonly min: number;
  readonly max: number;
  readonly #checks: Checks;
  readonly #range: readonly [from: number, to: number];

  constructor(
    checks: Checks,
    range: readonly [number, number],
    { count, sum, min, max }: Omit<DayTotals["responseTimes"], "histogram">,
  ) {
    this.count = count;
    this.sum = sum;
    this.min = min;
    this.max = max;
    this.#checks = checks;
    this.#range = range;
  }

  get histogram(): string {
    const histogram = new Histogram();
    this.addTo(histogram, 1);
    return histogram.format();
  }

  addTo(histogram: Histogram, weight: number): void {
    const { states, durations } = this.#checks;
    const [from, to] = this.#range;
    for (let index = from; index < to; index++) {
      const duration = durations[index]!;
      if (SUCCESSFUL[states[index]!] && !Number.isNaN(duration)) histogram.add(duration, weight);
    }
  }
}
