import type { State } from "../state.ts";
import { DAY } from "../time.ts";
import type { DaysIn } from "./days_in.ts";
import type { Evidence } from "./evidence.ts";
import { rolledSpans } from "./rolled_spans.ts";
import type { Span } from "./span.ts";
import type { Statistics } from "./statistics.ts";
import { overlap, type Window } from "../history/windows.ts";

/**
 * How long a site was in which state in a window, in seconds. Of a day that is cut, each state counts by
 * the share that lies in the window of what is known of it by the moment, else by that of the day.
 */
export function timesIn(
  evidence: Evidence,
  { from, to }: Window,
  { whole, cut }: DaysIn,
): Pick<Statistics, "observed" | "maintenance" | "down" | "degraded"> {
  const times = { observed: 0, maintenance: 0, down: 0, degraded: 0 };
  for (const span of evidence.spans) {
    const seconds = (Math.min(to, span.to) - Math.max(from, span.from)) / 1000;
    if (seconds <= 0) continue;
    times.observed += seconds;
    if (span.state !== "up" && span.state !== "unknown") times[span.state] += seconds;
  }
  whole.forEach(({ totals }) => {
    times.observed += totals.observedTime;
    times.maintenance += totals.maintenanceTime;
    times.degraded += totals.degradedTime;
    times.down += Math.min(totals.downTime, totals.observedTime);
  });
  for (const day of cut) {
    const { from: begin, totals, share, window } = day;
    const spans = share === 1 ? [] : rolledSpans(evidence, [day]);
    const shareOf = (state: State) => {
      const all = lengthOf(state, spans, { from: begin, to: begin + DAY });
      return all === 0 ? share : lengthOf(state, spans, window) / all;
    };
    const observed = totals.observedTime * share;
    const maintenance = Math.min(totals.maintenanceTime * shareOf("maintenance"), observed);
    times.observed += observed;
    times.maintenance += maintenance;
    times.degraded += totals.degradedTime * shareOf("degraded");
    times.down += Math.min(totals.downTime * shareOf("down"), observed - maintenance);
  }
  return times;
}

function lengthOf(state: State, spans: readonly Span[], window: Window): number {
  return spans.reduce((sum, span) => span.state === state ? sum + overlap(span, window) : sum, 0);
}
