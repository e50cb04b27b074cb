import type { Snapshot } from "../store/store.ts";
import { type Incident, incidentPath, INCIDENTS_FOLDER, parseIncident } from "./incident.ts";
import { type Maintenance, parseMaintenance } from "./maintenance.ts";

/** What the files of incidents tell. */
export interface ReadIncidents {
  /** Those of sites, by their starts: names tell the day only. */
  incidents: [id: string, incident: Incident][];
  maintenance: Maintenance[];
}

/** Reads the files of all incidents; what is neither an incident of a site nor maintenance is passed over. */
export async function readIncidents(snapshot: Snapshot): Promise<ReadIncidents> {
  const names = await snapshot.list(INCIDENTS_FOLDER);
  const ids = names.filter((name) => name.endsWith(".yml")).map((name) => name.slice(0, -4));
  const texts = await snapshot.read(ids.map(incidentPath));
  const incidents: ReadIncidents["incidents"] = [];
  const maintenance: Maintenance[] = [];
  for (const id of ids) {
    const text = texts.get(incidentPath(id)) ?? "";
    const window = saysMaintenance(text) ? parseMaintenance(text) : undefined;
    const incident = window === undefined ? parseIncident(text) : undefined;
    if (window !== undefined) maintenance.push(window);
    if (incident !== undefined) incidents.push([id, incident]);
  }
  incidents.sort(([, one], [, other]) => Temporal.Instant.compare(one.start, other.start));
  return { incidents, maintenance };
}

/** Whether a text may be maintenance, without parsing it: there are thousands of others. */
function saysMaintenance(text: string): boolean {
  return /\bkind["']?\s*:\s*["']?maintenance\b/.test(text);
}
