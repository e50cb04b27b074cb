import type { Impact } from "../history/manual_incident.ts";
import type { Report, SiteReport } from "../statistics/report/report.ts";
import { raisedOverall } from "./impact.ts";
import { type Overall, OVERALL_RULES, overallOf } from "./overall.ts";
import { watchedStates } from "./watched_states.ts";

/** The overall status of a report, raised by reported impacts; `nothingCurrent` if no state is known any more. */
export function overallAt({ sites, impacts }: Pick<Report, "sites" | "impacts">): Overall {
  const measured = overallOf(watchedStates(sites));
  const wasKnown = sites.some(({ site, condition }) => !site.paused && condition !== undefined);
  if (measured === "nothingKnown" && wasKnown) return "nothingCurrent";
  return raisedOverall(overallOf(watchedStates(sites, impacts)), impacts?.all);
}

/** The place among `OVERALL_RULES` that impacts raise a sentence to at the least; absent if nobody reports anything. */
export function leastRule(impacts: readonly Impact[] = []): number | undefined {
  if (impacts.length === 0) return undefined;
  const least = raisedOverall("nothingKnown", impacts);
  return OVERALL_RULES.findIndex(([, , sentence]) => sentence === least);
}

/** The impacts that people report of a group of sites. */
export function impactsOn(
  sites: readonly SiteReport[],
  { impacts }: Pick<Report, "impacts">,
): Impact[] {
  return sites.flatMap(({ site }) => impacts?.bySite.get(site.slug) ?? []);
}

/** The overall status of a group of sites, raised by reported impacts. */
export function overallOfGroup(
  sites: readonly SiteReport[],
  report: Pick<Report, "impacts">,
): Overall {
  const bySite = report.impacts?.bySite ?? new Map();
  return overallAt({ sites, impacts: { all: impactsOn(sites, report), bySite } });
}
