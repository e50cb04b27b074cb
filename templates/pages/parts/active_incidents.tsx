import type { ListedIncident } from "../../../lib/page/incidents/incident_days.ts";
import type { Link } from "../../../lib/config/page_path.ts";
import type { View } from "../page.ts";
import { IncidentCards } from "./incident_card.tsx";

/** Incidents that go on, with what was last written on each; nothing where there are none. */
export function ActiveIncidents({ view, incidents, link }: {
  view: View;
  incidents: readonly ListedIncident[];
  link: Link;
}) {
  if (incidents.length === 0) return null;
  return (
    <section class="active">
      <h2>{view.language.say("activeIncidents")}</h2>
      <IncidentCards view={view} incidents={incidents} link={link} tellsNewest />
    </section>
  );
}
