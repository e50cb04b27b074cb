import { findSite } from "../../config/find_site.ts";
import type { Site } from "../../config/config.ts";
import { slugsOf, type StoredIncident } from "../../history/stored_incidents.ts";

/**
 * The incident of an id or of the number of an issue, or of what concerns a site that which goes on, else
 * the last, else the next; `undefined` where there is none.
 */
export function findIncident(
  incidents: ReadonlyMap<string, StoredIncident>,
  words: string,
  { sites, now }: { sites: readonly Site[]; now: Temporal.Instant },
): string | undefined {
  const wanted = words.trim();
  if (incidents.has(wanted)) return wanted;
  const slug = findSite(sites, wanted)?.slug ?? wanted;
  const rank = ({ start, end }: StoredIncident) =>
    end !== undefined ? 1 : Temporal.Instant.compare(start, now) <= 0 ? 0 : 2;
  const [found] = [...incidents].filter(([, one]) => slugsOf(one).includes(slug))
    .sort(([, one], [, other]) =>
      rank(one) - rank(other) || Temporal.Instant.compare(other.start, one.start)
    );
  if (found !== undefined) return found[0];
  const number = Number(/^#?(\d+)$/.exec(wanted)?.[1]);
  return [...incidents].find(([, { issue }]) => issue === number)?.[0];
}
