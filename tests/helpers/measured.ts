import { evidenceOf } from "../../lib/statistics/evidence.ts";
import { type Goals, measure } from "../../lib/statistics/measure.ts";
import type { SiteHistory } from "../../lib/history/site_history.ts";
import type { Statistics } from "../../lib/statistics/statistics.ts";
import type { TimelineOptions } from "../../lib/statistics/timeline.ts";
import type { Window } from "../../lib/history/windows.ts";

/** The statistics of a site in a window, straight from its history. */
export function measured(
  history: SiteHistory,
  window: Window,
  options: TimelineOptions & Goals,
): Statistics {
  return measure(evidenceOf(history, options), window, options);
}
