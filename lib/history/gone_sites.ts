import { endIncident, formatIncident, type Incident, incidentPath } from "./incident.ts";
import { formatRecord, recordPath } from "./record.ts";
import type { HistoryState } from "./state.ts";

/** An incident that ends because nobody looks at its site any more. */
export interface AbandonedIncident {
  id: string;
  slug: string;
}

/** What becomes of sites that are no longer configured, and the texts of the files that say so. */
export interface Abandoned {
  incidents: AbandonedIncident[];
  /** Incident first, then record: a run that is cut off in between leaves nothing open for ever. */
  files: [path: string, text: string][];
}

/** Ends the open incidents of sites that are no longer configured. */
export function abandon({ gone, incidents }: HistoryState, time: Temporal.Instant): Abandoned {
  const abandoned: Abandoned = { incidents: [], files: [] };
  for (const [slug, { incident: id, ...record }] of gone) {
    const open: Incident | undefined = id === undefined ? undefined : incidents.get(id);
    if (id !== undefined && open !== undefined) {
      abandoned.incidents.push({ id, slug });
      abandoned.files.push([incidentPath(id), formatIncident(endIncident(open, time))]);
    }
    abandoned.files.push([recordPath(slug), formatRecord(record)]);
  }
  return abandoned;
}
