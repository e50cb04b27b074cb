import type { Maintenance } from "../../history/maintenance.ts";
import { type MaintenancePlans, planMaintenance } from "./plan_maintenance.ts";
import type { PlannedWindow } from "../../evaluation/window.ts";

/** The maintenance windows that go on and are ahead, by their begin, given their files and the plans; of one that comes again and again only the next. */
export function windowsAt(
  maintenance: ReadonlyMap<string, Maintenance>,
  plans: MaintenancePlans,
  now: Temporal.Instant,
): PlannedWindow[] {
  const incidentIds = new Set(maintenance.keys());
  return planMaintenance({ maintenance, incidentIds }, plans, now).windows
    .sort((one, other) => Temporal.Instant.compare(one.start, other.start));
}
