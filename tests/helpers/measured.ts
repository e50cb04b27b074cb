import type { SiteHistory } from "../../lib/history/site_history.ts";
import type { Window } from "../../lib/history/windows.ts";
import { type Goals, measure } from "../../lib/statistics/measure.ts";
import { selectSamples } from "../../lib/statistics/samples.ts";
import type { Statistics } from "../../lib/statistics/statistics.ts";
import type { TimelineOptions } from "../../lib/statistics/timeline.ts";

/** The statistics of a site in a window, straight from its history. */
export function measured(
  history: SiteHistory,
  window: Window,
  options: TimelineOptions & Goals,
): Statistics {
  return measure(selectSamples(history, options), window, options);
}
