import { checksIn } from "./checks_in.ts";
import { daysIn } from "./days_in.ts";
import type { Evidence } from "./evidence.ts";
import { objectiveOf } from "./objective_of.ts";
import { outagesIn } from "./outages.ts";
import type { Statistics } from "./statistics.ts";
import { timesIn } from "./times_in.ts";
import type { Window } from "../history/windows.ts";

/** What a site is held against. */
export interface Goals {
  /** Milliseconds up to which an answer satisfies. */
  apdex: number;
  /** Percent of the time that the site shall be up. */
  slo?: number;
}

/** The statistics of a site in a window; the part of the window that is still to come tells nothing. */
export function measure(evidence: Evidence, window: Window, { apdex, slo }: Goals): Statistics {
  const { first, now } = evidence;
  const days = daysIn(evidence.days, window, first);
  const times = timesIn(evidence, window, days);
  const { observed, maintenance, down } = times;
  const judged = observed - maintenance;
  const length = (Math.min(window.to, now) - Math.max(window.from, first ?? now)) / 1000;
  const uptime = judged <= 0 ? undefined : Math.max(0, 1 - down / judged);
  return {
    window,
    ...times,
    coverage: length > 0 ? Math.min(1, observed / length) : undefined,
    uptime,
    ...checksIn(evidence, window, days, apdex),
    ...outagesIn(evidence, window, { up: Math.max(0, judged - down), down }),
    objective: slo === undefined ? undefined : objectiveOf(slo, { judged, down, uptime }),
  };
}
