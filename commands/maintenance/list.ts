import { UsageError } from "../../lib/text/arguments.ts";
import { USUAL_COLUMNS } from "../../lib/text/columns.ts";
import { tellsOfAllSites } from "../../lib/config/config.ts";
import { listIncidents } from "../../lib/history/incident.ts";
import { loadMaintenance } from "../../lib/pipeline/known_incidents.ts";
import { readNewest } from "../../lib/pipeline/uncommitted.ts";
import { CALENDAR, plansFor, windowsAt } from "../../lib/incidents/maintenance/windows.ts";
import { openStoreOrFolder } from "../../lib/history/store/open_store.ts";
import { maintenanceJson, maintenanceList } from "../../templates/terminal/maintenance.ts";
import { damagedNote } from "../../templates/terminal/update_notes.ts";
import { announcementsOf, type MaintenanceWork, storeOptions } from "./by_hand.ts";

/** Lists ongoing and planned maintenance. Nothing is written. */
export async function listMaintenance(work: MaintenanceWork): Promise<number> {
  const { context, words, config, loaded, workspace } = work;
  const { clock, json, log, environment, secrets } = context;
  if (words.length > 0) {
    throw new UsageError(
      `Cannot list the maintenance of ${words.join(", ")} alone: "maintenance" lists all of it`,
    );
  }
  const { store } = await openStoreOrFolder(context.root, {
    ...storeOptions(work),
    readOnly: true,
  });
  const { newest } = await readNewest(store, workspace);
  const now = clock.now();
  const { plans, notes } = await plansFor(config, {
    ...await announcementsOf(work),
    isPartial: !tellsOfAllSites(loaded.problems, context.config),
    now,
    reach: json ? CALENDAR : 0,
    redact: (text) => secrets.redact(text),
  });
  const { maintenance, damaged } = await loadMaintenance(newest, await listIncidents(newest), now);
  for (const note of [...notes, ...damaged.map(damagedNote)]) log.warn(note);
  const windows = windowsAt(maintenance, plans, now);
  log.line(maintenanceList(windows, config, {
    now,
    columns: environment.columns ?? USUAL_COLUMNS,
  }));
  if (json) log.data(maintenanceJson(windows, now));
  return 0;
}
