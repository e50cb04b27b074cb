import type { Site } from "../../config/config.ts";
import type { LastCheck, SiteHistory } from "../../history/site_history.ts";
import { WINDOW_NAMES, windowBack, type WindowName } from "../../history/windows.ts";
import type { State } from "../../state.ts";
import { measure } from "../measure.ts";
import { type Samples, selectLocationSamples } from "../samples.ts";
import type { Statistics } from "../statistics.ts";
import type { TimelineOptions } from "../timeline.ts";

/** Figures of a site as seen from one of its locations. */
export interface LocationReport {
  name: string;
  /** That of its last result; `unknown` if it has none, or if that no longer covers the present. */
  state: State;
  /** Absent if it has had no result in the last days. */
  last?: LastCheck;
  samples: Samples;
  /** Outages are not counted: incidents are of the site, not of a location. */
  statistics: Readonly<Record<WindowName, Statistics>>;
}

/**
 * Reports the locations of a site, in the order of the configuration; `undefined` if fewer than two check it.
 * Locations that are no longer configured are left out.
 */
export function reportLocations(
  site: Pick<Site, "locations" | "apdex">,
  history: SiteHistory,
  options: TimelineOptions & { first?: number },
): LocationReport[] | undefined {
  if (site.locations.length < 2) return undefined;
  const { now, maxGap, first = now } = options;
  return site.locations.map((name): LocationReport => {
    const samples = selectLocationSamples(history, name, options);
    const last = history.locations?.get(name)?.last;
    const isCurrent = last !== undefined && now < last.time.epochMilliseconds + maxGap;
    const statistics = WINDOW_NAMES.map((window) =>
      [window, measure(samples, windowBack(window, now, first), { apdex: site.apdex })] as const
    );
    return {
      name,
      state: isCurrent ? last.state : "unknown",
      last,
      samples,
      statistics: Object.fromEntries(statistics) as Record<WindowName, Statistics>,
    };
  });
}

/** The worst first; nothing known is worse than up. */
const RANKS: readonly State[] = ["down", "degraded", "unknown", "maintenance", "up"];

/**
 * Sorts locations by their state, the worst first, and then by their mean response time in a window, the
 * slowest first.
 */
export function sortWorstFirst<T extends Pick<LocationReport, "state" | "statistics">>(
  locations: readonly T[],
  window: WindowName,
): T[] {
  return sortSlowestFirst(locations, window)
    .sort((one, other) => RANKS.indexOf(one.state) - RANKS.indexOf(other.state));
}

/** Sorts locations by their mean response time in a window, the slowest first and those without any last. */
export function sortSlowestFirst<T extends Pick<LocationReport, "statistics">>(
  locations: readonly T[],
  window: WindowName,
): T[] {
  const mean = ({ statistics }: T) => statistics[window].responseTimes?.mean ?? -1;
  return locations.toSorted((one, other) => mean(other) - mean(one));
}
