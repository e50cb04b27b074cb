import type { Incident } from "./incident.ts";
import type { Maintenance } from "./maintenance.ts";
import type { StoredIncidents } from "./stored_incidents.ts";

/** What the files of incidents tell of sites. */
export interface SortedIncidents {
  /** Those of sites, by their starts: names tell the day only. */
  incidents: [id: string, incident: Incident][];
  /** By their names. */
  maintenance: Map<string, Maintenance>;
}

/** Stored incidents by what they are; what is neither an incident of a site nor maintenance is passed over. */
export function sortedIncidents(stored: StoredIncidents): SortedIncidents {
  const incidents: SortedIncidents["incidents"] = [];
  const maintenance = new Map<string, Maintenance>();
  for (const [id, one] of stored.incidents) {
    if (one.kind === "maintenance") maintenance.set(id, one);
    else if (one.kind !== "manual") incidents.push([id, one]);
  }
  return { incidents: byStart(incidents), maintenance };
}

/** Incidents by their starts. Moments take long to compare, and there may be thousands of incidents. */
function byStart(incidents: SortedIncidents["incidents"]): SortedIncidents["incidents"] {
  return incidents.map((one) => ({ one, start: one[1].start.epochMilliseconds }))
    .sort((a, b) => a.start - b.start || Temporal.Instant.compare(a.one[1].start, b.one[1].start))
    .map(({ one }) => one);
}
