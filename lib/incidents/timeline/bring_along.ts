import { formatManual, type ManualIncident, newManualId } from "../../history/manual_incident.ts";
import type { StoredIncident, StoredIncidents } from "../../history/stored_incidents.ts";
import { updatesText } from "../../history/updates.ts";
import type { Heard } from "./hear.ts";
import { updatesOf } from "./update_of.ts";

/** Stored incidents that differ from what people have written by now, by id; `null` for one that goes. */
export type ChangedIncidents = ReadonlyMap<string, StoredIncident | null>;

/**
 * What becomes of stored incidents by what was heard of their issues. What was not heard stays as it is; a
 * manual incident is first stored once its comments are known.
 */
export function bringAlong(
  { incidents, ids }: StoredIncidents,
  { manual, comments, missing }: Pick<Heard, "manual" | "comments" | "missing">,
  redact: (text: string) => string,
): ChangedIncidents {
  const changed = new Map<string, StoredIncident | null>();
  const taken = new Set(ids);
  const files = new Map<number, [id: string, incident: ManualIncident]>();
  for (const [id, incident] of incidents) {
    if (incident.kind === "manual") files.set(incident.issue, [id, incident]);
    const heard = incident.issue === undefined ? undefined : comments.get(incident.issue);
    if (heard === undefined) continue;
    const updates = updatesOf(heard, redact);
    if (updatesText(updates) !== updatesText(incident.updates)) {
      changed.set(id, { ...incident, updates });
    }
  }
  for (const told of manual ?? []) {
    const [id, before] = files.get(told.issue) ?? [];
    files.delete(told.issue);
    const heard = comments.get(told.issue);
    if (before === undefined && missing.has(told.issue)) continue;
    const updates = heard === undefined ? before?.updates ?? [] : updatesOf(heard, redact);
    const after = { ...told, updates };
    if (before !== undefined && formatManual(before) === formatManual(after)) continue;
    const name = id ?? newManualId(told, taken);
    taken.add(name);
    changed.set(name, after);
  }
  if (manual !== undefined) { for (const [id] of files.values()) changed.set(id, null); }
  return changed;
}
