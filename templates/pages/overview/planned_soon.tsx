import { linksOf, PAGE_PATHS } from "../../../lib/config/page_path.ts";
import { plannedMaintenance } from "../../../lib/page/incidents/planned_maintenance.ts";
import type { View } from "../page.ts";
import { PlannedWindows } from "../parts/planned.tsx";

/** Windows ahead that are told of here; the others stand on the page of maintenance. */
const MOST = 3;

/** Maintenance that goes on, and the next that is ahead. */
export function PlannedSoon({ view }: { view: View }) {
  const { report: { maintenance, time }, incidents, language } = view;
  const { going, ahead } = plannedMaintenance(maintenance, incidents, time);
  const windows = [...going, ...ahead.flatMap(({ next }) => next.slice(0, 1)).slice(0, MOST)];
  if (windows.length === 0) return null;
  const link = linksOf(PAGE_PATHS.overview);
  return (
    <section>
      <h2>{language.say(going.length > 0 ? "maintenance" : "scheduledMaintenance")}</h2>
      <PlannedWindows windows={windows} view={view} link={link} />
    </section>
  );
}
