import type { Config } from "../config/config.ts";
import { incidentIdsOf, INCIDENTS_FOLDER } from "../history/incident.ts";
import { knownMaintenance } from "../history/known_maintenance.ts";
import type { Snapshot } from "../store/store.ts";
import { configuredWindows } from "./configured_windows.ts";
import { type MaintenancePlans, planMaintenance } from "./plan_maintenance.ts";
import type { PlannedWindow } from "./window.ts";

/** What there is to know of maintenance beside the history. */
export interface MaintenanceSources extends Pick<MaintenancePlans, "isPartial" | "announced"> {
  config: Pick<Config, "maintenance">;
  now: Temporal.Instant;
}

/** The maintenance windows that go on and are ahead, by their begin; of one that comes again and again only the next. */
export async function maintenanceOf(
  snapshot: Snapshot,
  { config, now, ...plans }: MaintenanceSources,
): Promise<PlannedWindow[]> {
  const incidentIds = new Set(incidentIdsOf(await snapshot.list(INCIDENTS_FOLDER)));
  const maintenance = await knownMaintenance(snapshot, incidentIds, now);
  const configured = configuredWindows(config.maintenance, now);
  const { windows } = planMaintenance({ maintenance, incidentIds }, { ...plans, configured }, now);
  return windows.sort((one, other) => Temporal.Instant.compare(one.start, other.start));
}
