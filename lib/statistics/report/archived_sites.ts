import { computeMaxGap, type Config } from "../../config/config.ts";
import type { SiteHistory } from "../../history/site_history.ts";
import { windowBack } from "../../history/windows.ts";
import { formatMoment } from "../../time.ts";
import { measure } from "../measure.ts";
import { selectSamples } from "../samples.ts";

/** A site with a past that the configuration no longer lists. */
export interface ArchivedSite {
  slug: string;
  first: string;
  last: string;
  checks: number;
  incidents: number;
  /** From 0 to 1; absent if nothing was observed. */
  uptime?: number;
  /** Mean response time in milliseconds; absent without a successful check. */
  mean?: number;
}

/** Computes the whole past of the sites that have one and are no longer configured, by slug. */
export function archivedSites(
  histories: ReadonlyMap<string, SiteHistory>,
  { config, now }: { config: Config; now: number },
): ArchivedSite[] {
  const configured = new Set(config.sites.map(({ slug }) => slug));
  const gone = [...histories.values()].filter(({ slug }) => !configured.has(slug));
  return gone.sort((one, other) => one.slug < other.slug ? -1 : 1).map((history) => {
    const samples = selectSamples(history, { maxGap: computeMaxGap(config), now });
    const { first = now, days, checks } = samples;
    const last = Math.max(first, days.at(-1)?.from ?? 0, checks.at(-1)?.time ?? 0);
    const figures = measure(samples, windowBack("all", now, first), { apdex: 500 });
    return {
      slug: history.slug,
      first: formatMoment(first),
      last: formatMoment(last),
      checks: figures.checks,
      incidents: history.incidents.size,
      uptime: figures.uptime,
      mean: figures.responseTimes?.mean,
    };
  });
}
