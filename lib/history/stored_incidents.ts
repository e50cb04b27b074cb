import * as v from "valibot";
import type { Snapshot } from "./store/store.ts";
import {
  formatIncident,
  INCIDENT,
  type Incident,
  incidentPath,
  listIncidents,
} from "./incident.ts";
import { formatMaintenance, MAINTENANCE, type Maintenance } from "./maintenance.ts";
import { formatManual, MANUAL, type ManualIncident } from "./manual_incident.ts";
import { plainIncident } from "./plain_incident.ts";
import { readYaml } from "./yaml_file.ts";

/** Whatever a file among the incidents is about. */
export type StoredIncident = Incident | Maintenance | ManualIncident;

const STORED = v.union([INCIDENT, MAINTENANCE, MANUAL]);

/** Reads a file among the incidents; `undefined` where the text is none of them. */
export function parseStoredIncident(text: string): StoredIncident | undefined {
  return plainIncident(text) ?? readYaml(STORED, text);
}

/** The text of a file among the incidents. */
export function formatStoredIncident(incident: StoredIncident): string {
  if (incident.kind === "maintenance") return formatMaintenance(incident);
  return incident.kind === "manual" ? formatManual(incident) : formatIncident(incident);
}

/** Slugs of the sites that an incident is about. */
export function slugsOf(incident: StoredIncident): string[] {
  if (incident.kind === "maintenance") return [...incident.sites.keys()];
  return incident.kind === "manual" ? incident.sites : [incident.slug];
}

/** What stands among the incidents. */
export interface StoredIncidents {
  /** Whatever can be read, by id. */
  incidents: ReadonlyMap<string, StoredIncident>;
  /** Ids that are in use. */
  ids: ReadonlySet<string>;
}

/** Reads everything that stands among the incidents. */
export async function readStoredIncidents(
  snapshot: Pick<Snapshot, "list" | "read">,
): Promise<StoredIncidents> {
  const ids = await listIncidents(snapshot);
  const texts = await snapshot.read(ids.map(incidentPath));
  const incidents = ids.flatMap((id): [string, StoredIncident][] => {
    const incident = parseStoredIncident(texts.get(incidentPath(id)) ?? "");
    return incident === undefined ? [] : [[id, incident]];
  });
  return { incidents: new Map(incidents), ids: new Set(ids) };
}

/** The same with the numbers of issues that no file tells yet, by incident. */
export function withNumbers(
  { incidents, ids }: StoredIncidents,
  numbers: ReadonlyMap<string, number>,
): StoredIncidents {
  const numbered = new Map(incidents);
  for (const [id, issue] of numbers) {
    const incident = incidents.get(id);
    if (incident === undefined || incident.kind === "manual") continue;
    numbered.set(id, { ...incident, issue });
  }
  return { incidents: numbered, ids };
}
