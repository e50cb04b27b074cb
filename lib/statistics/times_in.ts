import { DAY } from "../time.ts";
import type { DaysIn } from "./days_in.ts";
import type { Evidence } from "./evidence.ts";
import type { Statistics } from "./statistics.ts";
import { overlap, type Window } from "./windows.ts";

/** How long a site was in which state in a window, in seconds; of days that are cut, by their shares. */
export function timesIn(
  { spans, outages }: Evidence,
  { from, to }: Window,
  { whole, cut }: DaysIn,
): Pick<Statistics, "observed" | "maintenance" | "down" | "degraded"> {
  const times = { observed: 0, maintenance: 0, down: 0, degraded: 0 };
  for (const span of spans) {
    const seconds = (Math.min(to, span.to) - Math.max(from, span.from)) / 1000;
    if (seconds <= 0) continue;
    times.observed += seconds;
    if (span.state !== "up" && span.state !== "unknown") times[span.state] += seconds;
  }
  for (const { totals } of whole) {
    times.observed += totals.observedTime;
    times.maintenance += totals.maintenanceTime;
    times.degraded += totals.degradedTime;
    times.down += Math.min(totals.downTime, totals.observedTime);
  }
  const pieces = cut.length > 0 ? [...outages.values()].flat() : [];
  for (const { from: begin, totals, share, window } of cut) {
    const day = { from: begin, to: begin + DAY };
    const inDay = lengthIn(pieces, day);
    const ofDown = share === 1 || inDay === 0 ? share : lengthIn(pieces, window) / inDay;
    times.observed += totals.observedTime * share;
    times.maintenance += totals.maintenanceTime * share;
    times.degraded += totals.degradedTime * share;
    times.down += Math.min(totals.downTime * ofDown, totals.observedTime * share);
  }
  return times;
}

function lengthIn(pieces: readonly Window[], window: Window): number {
  return pieces.reduce((sum, piece) => sum + overlap(piece, window), 0);
}
