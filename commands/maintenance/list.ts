import { isUsable } from "../../lib/config/problem.ts";
import { DetachedError } from "../../lib/doors/git/repository.ts";
import { readNewest } from "../../lib/history/uncommitted.ts";
import { plansFor } from "../../lib/maintenance/plans_for.ts";
import { maintenanceOf } from "../../lib/maintenance/maintenance_of.ts";
import { filesStore } from "../../lib/store/files_store.ts";
import { maintenanceJson, maintenanceText } from "../../templates/terminal/maintenance_report.ts";
import { damagedNote } from "../../templates/update/maintenance_line.ts";
import { announcementsOf, type MaintenanceWork, openStoreOf } from "./open.ts";

/** Shows the maintenance that goes on and is ahead. Nothing is written. */
export async function listMaintenance(work: MaintenanceWork): Promise<number> {
  const { context: { clock, json, log, environment, secrets }, config, loaded, workspace } = work;
  const store = await openStoreOf(work, { readOnly: true }).catch((error) => {
    if (!(error instanceof DetachedError)) throw error;
    log.warn("no branch is checked out (HEAD is detached), so this is what the folder holds");
    return filesStore(workspace, loaded.file, "no branch is checked out");
  });
  const { newest } = await readNewest(store, workspace);
  const now = clock.now();
  const { plans, notes } = await plansFor(config, {
    ...await announcementsOf(work),
    isPartial: !isUsable(loaded.problems),
    now,
    redact: (text) => secrets.redact(text),
  });
  const { windows, damaged } = await maintenanceOf(newest, plans, now);
  for (const note of [...notes, ...damaged.map(damagedNote)]) log.warn(note);
  log.line(maintenanceText(windows, config, { now, columns: environment.columns }));
  if (json) log.data(maintenanceJson(windows, now));
  return 0;
}
