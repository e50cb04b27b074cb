import { slugsOf, type StoredIncident } from "../../history/stored_incidents.ts";
import type { ListedIncident } from "./incident_days.ts";

/** Everything that is stored among incidents, by the sites that it is about. */
export function incidentsBySite(
  incidents: ReadonlyMap<string, StoredIncident>,
): Map<string, ListedIncident[]> {
  const bySite = new Map<string, ListedIncident[]>();
  for (const one of incidents) {
    for (const slug of new Set(slugsOf(one[1]))) {
      const own = bySite.get(slug);
      if (own === undefined) bySite.set(slug, [one]);
      else own.push(one);
    }
  }
  return bySite;
}
