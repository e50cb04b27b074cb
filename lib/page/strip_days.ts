import { overlap, type Window } from "../history/windows.ts";
import { isOfSite } from "../history/stored_incidents.ts";
import { IMPACT_STATES } from "../incidents/impact.ts";
import { toImpact } from "../history/manual_incident.ts";
import type { DayBar } from "../statistics/report/bars.ts";
import { downIntervals, openIntervals } from "../statistics/outages.ts";
import { PROBLEMS, type State } from "../state.ts";
import { DAY } from "../time.ts";
import { type ListedIncident, toWindows } from "./incidents.ts";

/** One fault of a site on one day. */
export interface DayEntry {
  state: State;
  /** Seconds of that day; absent of incidents that people have written. */
  seconds?: number;
  /** Absent if no incident is known, as of recurring maintenance. */
  incident?: ListedIncident;
}

/** A day of a strip on which something was wrong. */
interface StripDay {
  /** Index of its bar. */
  index: number;
  bar: DayBar;
  /** The newest first. */
  entries: readonly DayEntry[];
}

/** Lists the days of a site's bars that failed or had incidents, given its incidents, the newest first. */
export function listStripDays(
  bars: readonly DayBar[],
  incidents: readonly ListedIncident[],
  now: number,
): StripDay[] {
  return bars.flatMap((bar, index) => {
    const from = Date.parse(bar.date);
    const day = { from, to: Math.min(from + DAY, now) };
    const entries = incidents.flatMap((one) => findEntry(one, day));
    for (const state of PROBLEMS) {
      const isListed = entries.some((one) => one.state === state);
      if (bar[state] > 0 && !isListed) entries.push({ state, seconds: bar[state] });
    }
    return entries.length === 0 ? [] : [{ index, bar, entries }];
  });
}

function findEntry(one: ListedIncident, day: Window): DayEntry[] {
  const [, incident] = one;
  const seconds = (times: readonly Window[]) =>
    times.reduce((sum, time) => sum + overlap(time, day), 0) / 1000;
  if (isOfSite(incident)) {
    const down = seconds(downIntervals(incident));
    const open = seconds(openIntervals(incident));
    if (down > 0) return [{ state: "down", seconds: down, incident: one }];
    return open > 0 ? [{ state: "degraded", seconds: open, incident: one }] : [];
  }
  const length = seconds(toWindows(incident));
  if (length === 0) return [];
  return incident.kind === "manual"
    ? [{ state: IMPACT_STATES[toImpact(incident)], incident: one }]
    : [{ state: "maintenance", seconds: length, incident: one }];
}
