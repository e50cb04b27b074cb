import { findSite } from "../config/find_site.ts";
import type { Site } from "../config/config.ts";
import type { StoredIncident } from "../history/stored_incidents.ts";

/**
 * The incident of an id or of the number of an issue, or the one of a site that goes on, else the last;
 * `undefined` where there is none.
 */
export function findIncident(
  incidents: ReadonlyMap<string, StoredIncident>,
  sites: readonly Site[],
  words: string,
): string | undefined {
  const wanted = words.trim();
  if (incidents.has(wanted)) return wanted;
  const slug = findSite(sites, wanted)?.slug ?? wanted;
  const ofSite = [...incidents].filter(([, one]) => "slug" in one && one.slug === slug);
  const [last] = ofSite.sort(([, one], [, other]) =>
    Number(one.end !== undefined) - Number(other.end !== undefined) ||
    Temporal.Instant.compare(other.start, one.start)
  );
  if (last !== undefined) return last[0];
  const number = /^#?(\d+)$/.exec(wanted)?.[1];
  return [...incidents].find(([, { issue }]) => issue === Number(number))?.[0];
}
