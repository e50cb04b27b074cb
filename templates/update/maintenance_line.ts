import { incidentPath } from "../../lib/history/incident.ts";
import type { Maintenance } from "../../lib/history/maintenance.ts";
import type { MaintenanceChange } from "../../lib/incidents/maintenance/plan_maintenance.ts";
import { paint } from "../../lib/text/paint.ts";
import { plainText, shorten } from "../../lib/text/plain_text.ts";
import { describeDuration } from "../../lib/time.ts";
import { count, formatMinute, formatMinuteFrom } from "../words.ts";

/** What becomes of a maintenance window, in a sentence. */
export function maintenanceLine({ id, action, maintenance }: MaintenanceChange): string {
  return `${maintenanceNews(action, maintenance)}${paint.dim(` → ${incidentPath(id)}`)}`;
}

/** Characters of a name in one line: whole sentences may be announced. */
const LONGEST_NAME = 80;

/** The same for a commit, without the file. */
export function maintenanceNews(
  action: MaintenanceChange["action"],
  maintenance: Maintenance,
): string {
  const { start, until, end } = maintenance;
  const name = shorten(plainText(maintenance.name), LONGEST_NAME);
  const sites = namesOf(maintenance);
  const time = `from ${formatMinute(start)} to ${formatMinuteFrom(until, start)}`;
  if (action === "announce") return `Maintenance is announced: ${name}, ${time}${sites}`;
  if (action === "begin") {
    return `Maintenance begins: ${name}, until ${formatMinuteFrom(until, start)}${sites}`;
  }
  if (action === "change") return `Maintenance is changed: ${name}, ${time}${sites}`;
  const lasted = end!.since(start).total("milliseconds");
  return lasted === 0
    ? `Maintenance is called off: ${name}`
    : `Maintenance is over: ${name}, after ${describeDuration(lasted)}`;
}

/** What people should know of a file of maintenance that can't be read. */
export function damagedNote(path: string): string {
  return `${path} can't be read, and the maintenance in it does not count; mend it, or remove it`;
}

/** More slugs than these no line lists. */
const MOST = 3;

function namesOf({ sites }: Maintenance): string {
  if (sites.size === 0) return "";
  const slugs = [...sites.keys()];
  return ` (${slugs.length > MOST ? count(slugs.length, "site") : slugs.join(", ")})`;
}
