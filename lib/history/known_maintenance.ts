import { LONGEST_WINDOW } from "../config/keys/maintenance_keys.ts";
import type { Snapshot } from "../store/store.ts";
import { DAY, utcDay } from "../time.ts";
import { incidentPath } from "./incident.ts";
import { type Maintenance, mayBeMaintenance, parseMaintenance } from "./maintenance.ts";

/** How long ago a file may be called after: it is put off no further than it may last, and clocks of two runs may be a day apart. */
const REACH = { milliseconds: 2 * LONGEST_WINDOW + DAY };

/** Reads the maintenance windows that may still go on or are to come, by id, and those of that time that are over. */
export async function knownMaintenance(
  snapshot: Snapshot,
  ids: Iterable<string>,
  time: Temporal.Instant,
): Promise<Map<string, Maintenance>> {
  const firstDay = utcDay(time.subtract(REACH));
  const wanted = [...ids].filter((id) => mayBeMaintenance(id, firstDay)).sort();
  const texts = wanted.length === 0
    ? new Map<string, string>()
    : await snapshot.read(wanted.map(incidentPath));
  return new Map(wanted.flatMap((id): [string, Maintenance][] => {
    const maintenance = parseMaintenance(texts.get(incidentPath(id)) ?? "");
    return maintenance === undefined ? [] : [[id, maintenance]];
  }));
}
