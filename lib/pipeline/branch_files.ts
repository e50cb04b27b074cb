import type { Findings } from "./find_out.ts";
import type { Outcome } from "./outcomes.ts";
import { formatIncident, type Incident, incidentPath } from "../history/incident.ts";
import type { MaintenanceChange } from "../incidents/maintenance/plan_maintenance.ts";
import { formatMaintenance } from "../history/maintenance.ts";
import { formatRecord, recordPath } from "../history/record.ts";
import type { HistoryState } from "./state.ts";

/** What a run found out that belongs on the branch, apart from the checks. */
export type Findable = Pick<Findings, "records" | "incidents">;

/**
 * The files of records and incidents that a run writes, in the order in which they are written where they
 * are not written at once: incidents that have ended, records, open incidents. An incident whose issue
 * has got a number since is among them.
 */
export function filesOf(
  { incidents, ended, unnumbered }: HistoryState,
  found: Findable,
): [path: string, text: string][] {
  const numbered = [...incidents, ...ended].filter(([id]) => unnumbered.has(id));
  const all = [...new Map([...numbered, ...found.incidents])];
  const isOver = ([, { end }]: [string, Incident]) => end !== undefined;
  const texts = (some: [string, Incident][]) =>
    some.map(([id, incident]): [string, string] => [incidentPath(id), formatIncident(incident)]);
  const records = [...found.records].map(([slug, record]): [string, string] => [
    recordPath(slug),
    formatRecord(record),
  ]);
  return [...texts(all.filter(isOver)), ...records, ...texts(all.filter((one) => !isOver(one)))];
}

/** The files of maintenance windows of which something becomes. */
export function maintenanceFiles(
  changes: readonly MaintenanceChange[],
): [path: string, text: string][] {
  return changes.map(({ id, maintenance }) => [incidentPath(id), formatMaintenance(maintenance)]);
}

/** Whether a site or its incident has changed. */
export function isChange({ change, incident, affected }: Outcome): boolean {
  return (change ?? incident ?? affected) !== undefined;
}

/** Those of the files that say more than the checks do: of sites and incidents that have changed. */
export function changedFiles(
  state: HistoryState,
  { outcomes, abandoned }: Pick<Findings, "outcomes" | "abandoned">,
  { records, incidents }: Findable,
): [path: string, text: string][] {
  const changed = new Set([
    ...outcomes.filter(isChange).map(({ result }) => result.site.slug),
    ...abandoned.map(({ slug }) => slug),
  ]);
  const told = new Map([...records].filter(([slug]) => changed.has(slug)));
  return filesOf(state, { records: told, incidents });
}
