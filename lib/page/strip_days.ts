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
  // Most incidents are older than the bars.
  const shown = { from: now - bars.length * DAY, to: now };
  const faults = incidents.map((incident) => ({ incident, times: listTimes(incident) }))
    .filter(({ times }) => times.some(([, windows]) => secondsInside(windows, shown) > 0));
  return bars.flatMap((bar, index) => {
    const from = Date.parse(bar.date);
    const day = { from, to: Math.min(from + DAY, now) };
    const entries = faults.flatMap(({ incident, times }): DayEntry[] => {
      const lengths = times.map(([state, windows]) =>
        [state, secondsInside(windows, day)] as const
      );
      const [state, seconds] = lengths.find(([, seconds]) => seconds > 0) ?? [];
      if (state === undefined) return [];
      return [incident[1].kind === "manual" ? { state, incident } : { state, seconds, incident }];
    });
    for (const state of PROBLEMS) {
      const isListed = entries.some((one) => one.state === state);
      if (bar[state] > 0 && !isListed) entries.push({ state, seconds: bar[state] });
    }
    return entries.length === 0 ? [] : [{ index, bar, entries }];
  });
}

/** Times of an incident by state; the first state with a part of a day is that of the day. */
function listTimes([, incident]: ListedIncident): [state: State, times: readonly Window[]][] {
  if (isOfSite(incident)) {
    return [["down", downIntervals(incident)], ["degraded", openIntervals(incident)]];
  }
  const state = incident.kind === "manual" ? IMPACT_STATES[toImpact(incident)] : "maintenance";
  return [[state, toWindows(incident)]];
}

function secondsInside(times: readonly Window[], day: Window): number {
  return times.reduce((sum, time) => sum + overlap(time, day), 0) / 1000;
}
