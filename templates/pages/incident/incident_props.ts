import type { Link } from "../../../lib/config/page_path.ts";
import type { StoredIncident } from "../../../lib/history/stored_incidents.ts";
import type { View } from "../page.ts";

/** What a part of the page of an incident is handed. */
export interface IncidentProps {
  view: View;
  id: string;
  incident: StoredIncident;
  link: Link;
}
