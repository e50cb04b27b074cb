import { LONGEST_WINDOW } from "../config/keys/maintenance_keys.ts";
import type { Snapshot } from "../history/store/store.ts";
import { DAY, utcDay } from "../time.ts";
import { incidentPath } from "../history/incident.ts";
import { type Maintenance, mayBeMaintenance, parseMaintenance } from "../history/maintenance.ts";
import { parseStoredIncident } from "../history/stored_incidents.ts";

/** How long ago a file may be called after: it is put off no further than it may last, and clocks of two runs may be a day apart. */
const REACH = { milliseconds: 2 * LONGEST_WINDOW + DAY };

/** What is known of maintenance by its files. */
export interface KnownFiles {
  /** Windows by id. */
  maintenance: Map<string, Maintenance>;
  /** Paths of files that look like ones of maintenance, and can't be read: somebody has changed them. */
  damaged: string[];
}

/** Reads the maintenance windows that may still go on or are to come, by id, and those of that time that are over. */
export async function knownMaintenance(
  snapshot: Snapshot,
  ids: Iterable<string>,
  time: Temporal.Instant,
): Promise<KnownFiles> {
  const firstDay = utcDay(time.subtract(REACH));
  const wanted = [...ids].filter((id) => mayBeMaintenance(id, firstDay)).sort();
  const texts = wanted.length === 0
    ? new Map<string, string>()
    : await snapshot.read(wanted.map(incidentPath));
  const known: KnownFiles = { maintenance: new Map(), damaged: [] };
  for (const id of wanted) {
    const path = incidentPath(id);
    const text = texts.get(path) ?? "";
    const maintenance = parseMaintenance(text);
    if (maintenance !== undefined) known.maintenance.set(id, maintenance);
    // A site may be called so as well.
    else if (texts.has(path) && parseStoredIncident(text) === undefined) known.damaged.push(path);
  }
  return known;
}
