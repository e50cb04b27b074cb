import type { DayTotals } from "../history/daily_log.ts";
import { STATES, SUCCESSFUL } from "../state.ts";
import { DAY } from "../time.ts";
import type { DaysIn } from "./days_in.ts";
import type { Evidence } from "./evidence.ts";
import { firstAtOrAfter } from "../history/first_at_or_after.ts";
import { Histogram } from "../history/histogram.ts";
import { countUpTo, ofAscending, ofSums } from "./response_times.ts";
import { sortValues } from "./sort_values.ts";
import type { Statistics } from "./statistics.ts";
import type { Window } from "../history/windows.ts";

const [DOWN, UNKNOWN] = [STATES.indexOf("down"), STATES.indexOf("unknown")];

/** What checks have to say of a window. */
type OfChecks = Pick<Statistics, "checks" | "responseTimes" | "apdex">;

/** The checks of a window; exactly where single ones are kept, else with percentiles that are right to 5 %. */
export function checksIn(
  evidence: Evidence,
  window: Window,
  days: DaysIn,
  target: number,
): OfChecks {
  return days.whole.length + days.cut.length === 0
    ? exactly(gather(evidence, [window]), target)
    : nearly(evidence, window, days, target);
}

/** Single checks: how many, how many of them failed, and the response times of the successful ones. */
interface Gathered {
  checks: number;
  failed: number;
  values: Float64Array;
}

function gather({ checks: { times, states, durations } }: Evidence, windows: Window[]): Gathered {
  const ranges = windows.map(({ from, to }) => [
    firstAtOrAfter(times, from),
    firstAtOrAfter(times, to),
  ]);
  const most = ranges.reduce((sum, [begin, end]) => sum + Math.max(0, end! - begin!), 0);
  const room = new Float64Array(most);
  let checks = 0;
  let failed = 0;
  let successes = 0;
  for (const [begin, end] of ranges) {
    for (let index = begin!; index < end!; index++) {
      const state = states[index]!;
      if (state !== UNKNOWN) checks++;
      if (state === DOWN) failed++;
      const value = durations[index]!;
      if (SUCCESSFUL[state] && !Number.isNaN(value)) room[successes++] = value;
    }
  }
  return { checks, failed, values: room.subarray(0, successes) };
}

function exactly({ checks, failed, values }: Gathered, target: number): OfChecks {
  const ascending = sortValues(values);
  const satisfied = countUpTo(ascending, target);
  const tolerated = countUpTo(ascending, 4 * target) - satisfied;
  const apdex = scoreOf({ satisfied, tolerated, judged: values.length + failed });
  return { checks, responseTimes: ofAscending(ascending), apdex };
}

/** Where some days are known by their totals only, those of the others will do too: there are many checks. */
function nearly(
  evidence: Evidence,
  { from, to }: Window,
  days: DaysIn,
  target: number,
): OfChecks {
  const fresh = evidence.fresh.filter((day) => day.from >= from && day.from + DAY <= to);
  const [first = to, last = to] = [fresh[0]?.from, fresh.at(-1)?.from];
  const edges = fresh.length === 0
    ? [{ from, to }]
    : [{ from, to: first }, { from: last + DAY, to }];
  const single = gather(evidence, edges);
  const histogram = new Histogram();
  let { checks, failed, values: { length: count } } = single;
  let [sum, min, max] = [0, Infinity, -Infinity];
  for (const value of single.values) {
    histogram.add(value);
    sum += value;
    min = Math.min(min, value);
    max = Math.max(max, value);
  }
  const take = (totals: DayTotals, share: number) => {
    const { responseTimes } = totals;
    checks += (totals.up + totals.degraded + totals.down + totals.maintenance) * share;
    failed += totals.down * share;
    if (responseTimes.count === 0) return;
    histogram.addDay(responseTimes, share);
    count += responseTimes.count * share;
    sum += responseTimes.sum * share;
    min = Math.min(min, responseTimes.min);
    max = Math.max(max, responseTimes.max);
  };
  days.whole.forEach(({ totals }) => take(totals, 1));
  for (const { totals } of fresh) take(totals, 1);
  for (const { totals, share } of days.cut) take(totals, share);
  const satisfied = histogram.countUpTo(target);
  const tolerated = histogram.countUpTo(4 * target) - satisfied;
  return {
    checks: Math.round(checks),
    responseTimes: ofSums({ count, sum, min, max, histogram }),
    apdex: scoreOf({ satisfied, tolerated, judged: count + failed }),
  };
}

function scoreOf(
  { satisfied, tolerated, judged }: { satisfied: number; tolerated: number; judged: number },
): number | undefined {
  return judged === 0 ? undefined : (satisfied + tolerated / 2) / judged;
}
