import { incidentIdsOf, INCIDENTS_FOLDER } from "../history/incident.ts";
import { knownMaintenance } from "../history/known_maintenance.ts";
import type { Snapshot } from "../store/store.ts";
import { type MaintenancePlans, planMaintenance } from "./plan_maintenance.ts";
import type { PlannedWindow } from "./window.ts";

/** The maintenance windows that go on and are ahead, by their begin; of one that comes again and again only the next; and paths of files that can't be read. */
export async function maintenanceOf(
  snapshot: Snapshot,
  plans: MaintenancePlans,
  now: Temporal.Instant,
): Promise<{ windows: PlannedWindow[]; damaged: string[] }> {
  const incidentIds = new Set(incidentIdsOf(await snapshot.list(INCIDENTS_FOLDER)));
  const { maintenance, damaged } = await knownMaintenance(snapshot, incidentIds, now);
  const { windows } = planMaintenance({ maintenance, incidentIds }, plans, now);
  windows.sort((one, other) => Temporal.Instant.compare(one.start, other.start));
  return { windows, damaged };
}
