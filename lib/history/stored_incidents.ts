import * as v from "valibot";
import type { Entry } from "../outbox/outbox.ts";
import { isBefore } from "../time.ts";
import type { Snapshot } from "./store/store.ts";
import {
  findIncidentId,
  formatIncident,
  INCIDENT,
  type Incident,
  INCIDENTS_FOLDER,
} from "./incident.ts";
import { formatMaintenance, MAINTENANCE, type Maintenance } from "./maintenance.ts";
import { formatManual, MANUAL, type ManualIncident } from "./manual_incident.ts";
import { readYaml } from "./yaml_file.ts";

export type StoredIncident = Incident | Maintenance | ManualIncident;

const STORED = v.union([INCIDENT, MAINTENANCE, MANUAL]);

export function parseStoredIncident(text: string): StoredIncident | undefined {
  return readYaml(STORED, text);
}

export function formatStoredIncident(incident: StoredIncident): string {
  if (incident.kind === "maintenance") return formatMaintenance(incident);
  return incident.kind === "manual" ? formatManual(incident) : formatIncident(incident);
}

export function listSlugs(incident: StoredIncident): string[] {
  if (incident.kind === "maintenance") return [...incident.sites.keys()];
  return incident.kind === "manual" ? incident.sites : [incident.slug];
}

export interface StoredIncidents {
  /** Those that can be read, by id. */
  incidents: ReadonlyMap<string, StoredIncident>;
  /** Ids of all files. */
  ids: ReadonlySet<string>;
}

/**
 * Reads all incidents for people to see. The numbers of issues that were opened since the last commit come from the
 * outbox.
 */
export async function readStoredIncidents(
  snapshot: Pick<Snapshot, "readAll">,
  outbox: readonly Entry[] = [],
): Promise<StoredIncidents> {
  const numbers = findIssueNumbers(outbox);
  const isWanted = (path: string) => findIncidentId(path) !== undefined;
  const files = await snapshot.readAll(INCIDENTS_FOLDER, isWanted);
  const decoder = new TextDecoder();
  const [incidents, ids] = [new Map<string, StoredIncident>(), new Set<string>()];
  for (const [path, bytes] of files) {
    const id = findIncidentId(path)!;
    ids.add(id);
    const incident = parseStoredIncident(decoder.decode(bytes));
    if (incident !== undefined) incidents.set(id, withNumber(id, incident, numbers));
  }
  return { incidents, ids };
}

/** Issue numbers from the receipts of effects, by incident or shared issue; the last one counts. */
export function findIssueNumbers(outbox: readonly Entry[]): Map<string, number> {
  return new Map(
    outbox.flatMap(({ queue, done }): [string, number][] => {
      const issue = done?.receipt?.["issue"];
      return queue !== undefined && typeof issue === "number" ? [[queue, issue]] : [];
    }),
  );
}

/** Adds the numbers of issues that no file contains yet. */
function withNumber(
  id: string,
  incident: StoredIncident,
  numbers: ReadonlyMap<string, number>,
): StoredIncident {
  if (incident.kind === "manual") return incident;
  const shared = incident.kind === "maintenance" ? undefined : incident.shared;
  const issue = numbers.get(shared ?? id);
  return issue === undefined ? incident : { ...incident, issue };
}

/** The incidents of sites, by their starts (ids contain only the day). */
export function siteIncidents({ incidents }: StoredIncidents): [id: string, Incident][] {
  return [...incidents].filter((entry): entry is [string, Incident] => "slug" in entry[1])
    .sort(([, one], [, other]) => one.start.epochMilliseconds - other.start.epochMilliseconds);
}

export function maintenanceFiles({ incidents }: StoredIncidents): Map<string, Maintenance> {
  return new Map(
    [...incidents].filter((entry): entry is [string, Maintenance] =>
      entry[1].kind === "maintenance"
    ),
  );
}

/**
 * Stage of an incident: ongoing, in the future, or over. Only maintenance is planned; anything else that starts
 * later was written by a clock that was ahead of this one, and is ongoing.
 */
export type Stage = "open" | "ahead" | "over";

export function computeStage(incident: StoredIncident, now: Temporal.Instant): Stage {
  if (incident.end !== undefined) return "over";
  return incident.kind === "maintenance" && isBefore(now, incident.start) ? "ahead" : "open";
}

/** True for an incident that checks have found, of one site. */
export function isOfSite(incident: StoredIncident): incident is Incident {
  return incident.kind === "down" || incident.kind === "degraded";
}

/** True if a planned window or a manual incident was canceled before it started. */
export function isCalledOff(incident: StoredIncident): boolean {
  return !isOfSite(incident) && incident.end?.equals(incident.start) === true;
}

/** The actual or planned end of an incident; absent if there is none yet. */
export function findEnd(incident: StoredIncident): Temporal.Instant | undefined {
  return incident.end ?? (incident.kind === "maintenance" ? incident.until : undefined);
}
