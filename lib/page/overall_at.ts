import type { Report } from "../report/report.ts";
import { type Overall, overallOf } from "./overall.ts";
import { isOutdated, lastCheck } from "./page_time.ts";
import { watchedStates } from "./watched_states.ts";

/** How everything is by a report that is of a moment which `pageTime` made: not known where checks have stopped. */
export function overallAt({ sites, time }: Pick<Report, "sites" | "time">): Overall {
  const states = watchedStates(sites);
  const histories = new Map(sites.map(({ site, history }) => [site.slug, history]));
  const records = new Map(
    sites.flatMap(({ site, record }) => record === undefined ? [] : [[site.slug, record]]),
  );
  return states.length > 0 && isOutdated(lastCheck({ histories, records }, time), time)
    ? "nothingCurrent"
    : overallOf(states);
}
