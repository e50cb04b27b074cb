import { type ListedIncident, newestFirst } from "../../../lib/page/incident_days.ts";
import { pageStage } from "../../../lib/page/open_incidents.ts";
import { linkFrom, PAGE_PATHS } from "../../../lib/page/page_path.ts";
import type { View } from "../page.ts";
import { IncidentCards } from "../parts/incident_card.tsx";

/** More than these no page lists. */
const MOST = 50;

/** What goes on with a site, which nobody shall have to look for. */
export function Present(props: EventsProps) {
  const { view, events, path } = props;
  const open = newestFirst(events.filter((one) => isPresent(one, view)));
  if (open.length === 0) return null;
  return (
    <section>
      <h2>{view.language.say("activeIncidents")}</h2>
      <IncidentCards view={view} incidents={open} link={(target) => linkFrom(path, target)} />
    </section>
  );
}

/** All that has happened to a site, the newest first. */
export function Past({ view, events, path }: EventsProps) {
  const { language } = view;
  const past = newestFirst(events.filter((one) => !isPresent(one, view)));
  const link = (target: string) => linkFrom(path, target);
  return (
    <section>
      <h2>{language.say("siteIncidents")}</h2>
      {past.length === 0
        ? <p class="muted">{language.say("siteQuiet")}</p>
        : <IncidentCards view={view} incidents={past.slice(0, MOST)} link={link} />}
      <p class="more">
        <a href={link(PAGE_PATHS.incidents)}>{language.say("olderIncidents")}</a>
        <a href={link(PAGE_PATHS.maintenance)}>{language.say("moreMaintenance")}</a>
      </p>
    </section>
  );
}

/** What happened to a site, and where it is told. */
export interface EventsProps {
  view: View;
  events: readonly ListedIncident[];
  path: string;
}

function isPresent([, incident]: ListedIncident, { report: { time } }: View): boolean {
  return pageStage(incident, time) !== "over";
}
