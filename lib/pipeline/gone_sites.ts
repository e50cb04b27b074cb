import { endIncident, type Incident } from "../history/incident.ts";
import type { HistoryRecord } from "../history/record.ts";
import type { HistoryState } from "./state.ts";

/** An incident that ends because nobody looks at its site any more. */
export interface AbandonedIncident {
  id: string;
  slug: string;
  incident: Incident;
}

/** What becomes of sites that are no longer configured. */
export interface Abandoned {
  incidents: AbandonedIncident[];
  /** Their records by slug, without the incident. */
  records: Map<string, HistoryRecord>;
}

/** Ends the open incidents of sites that are no longer configured. */
export function abandon({ gone, incidents }: HistoryState, time: Temporal.Instant): Abandoned {
  const abandoned: Abandoned = { incidents: [], records: new Map() };
  for (const [slug, { incident: id, ...record }] of gone) {
    const open: Incident | undefined = id === undefined ? undefined : incidents.get(id);
    if (id !== undefined && open !== undefined) {
      abandoned.incidents.push({ id, slug, incident: endIncident(open, time) });
    }
    abandoned.records.set(slug, record);
  }
  return abandoned;
}
