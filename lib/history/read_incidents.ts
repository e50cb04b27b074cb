import type { Snapshot } from "../store/store.ts";
import {
  type Incident,
  incidentIdsOf,
  incidentPath,
  INCIDENTS_FOLDER,
  parseIncident,
} from "./incident.ts";
import { type Maintenance, parseMaintenance } from "./maintenance.ts";

/** What the files of incidents tell. */
export interface ReadIncidents {
  /** Those of sites, by their starts: names tell the day only. */
  incidents: [id: string, incident: Incident][];
  /** By their names. */
  maintenance: Map<string, Maintenance>;
}

/** Reads the files of all incidents; what is neither an incident of a site nor maintenance is passed over. */
export async function readIncidents(snapshot: Snapshot): Promise<ReadIncidents> {
  const ids = incidentIdsOf(await snapshot.list(INCIDENTS_FOLDER));
  const texts = await snapshot.read(ids.map(incidentPath));
  const incidents: ReadIncidents["incidents"] = [];
  const maintenance = new Map<string, Maintenance>();
  for (const id of ids) {
    const text = texts.get(incidentPath(id)) ?? "";
    const window = saysMaintenance(text) ? parseMaintenance(text) : undefined;
    const incident = window === undefined ? parseIncident(text) : undefined;
    if (window !== undefined) maintenance.set(id, window);
    if (incident !== undefined) incidents.push([id, incident]);
  }
  incidents.sort(([, one], [, other]) => Temporal.Instant.compare(one.start, other.start));
  return { incidents, maintenance };
}

/** Whether a text may be maintenance, without parsing it: there are thousands of others. */
function saysMaintenance(text: string): boolean {
  return /\bkind["']?\s*:\s*["']?maintenance\b/.test(text);
}
