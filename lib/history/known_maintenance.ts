import { LONGEST_WINDOW } from "../maintenance/window.ts";
import type { Snapshot } from "../store/store.ts";
import { utcDay } from "../time.ts";
import { incidentPath } from "./incident.ts";
import { type Maintenance, mayBeMaintenance, parseMaintenance } from "./maintenance.ts";

/** How far apart the clocks of two runs may be. */
const SLACK = { hours: 24 };

/** Reads the maintenance windows that may still go on or are to come, by id, and those of that time that are over. */
export async function knownMaintenance(
  snapshot: Snapshot,
  ids: Iterable<string>,
  time: Temporal.Instant,
): Promise<Map<string, Maintenance>> {
  const firstDay = utcDay(time.subtract({ milliseconds: LONGEST_WINDOW }).subtract(SLACK));
  const wanted = [...ids].filter((id) => mayBeMaintenance(id, firstDay)).sort();
  const texts = wanted.length === 0
    ? new Map<string, string>()
    : await snapshot.read(wanted.map(incidentPath));
  return new Map(wanted.flatMap((id): [string, Maintenance][] => {
    const maintenance = parseMaintenance(texts.get(incidentPath(id)) ?? "");
    return maintenance === undefined ? [] : [[id, maintenance]];
  }));
}
