import type { ListedIncident } from "../../../lib/page/incidents/incident_days.ts";
import { openIncidents } from "../../../lib/page/incidents/open_incidents.ts";
import {
  type ListedWindow,
  listedWindows,
} from "../../../lib/page/incidents/planned_maintenance.ts";
import { incidentPagePath, type Link, PAGE_PATHS } from "../../../lib/config/page_path.ts";
import { plainText } from "../../../lib/text/plain_text.ts";
import { isBefore } from "../../../lib/time.ts";
import type { View } from "../page.ts";
import { ActiveIncidents } from "../parts/active_incidents.tsx";
import { Period } from "../parts/period.tsx";
import { Shape } from "../parts/shape.tsx";

/** More windows that are ahead than these are told elsewhere. */
const MOST_AHEAD = 3;

/** What is told of a site before its numbers. */
export interface PresentProps {
  view: View;
  slug: string;
  /** What is stored of it. */
  events: readonly ListedIncident[];
  link: Link;
}

/** What goes on with a site, and the maintenance that is ahead for it. */
export function Present({ view, slug, events, link }: PresentProps) {
  const { language, report: { time, maintenance } } = view;
  const open = openIncidents(new Map(events), time);
  const windows = listedWindows(maintenance.filter(({ sites }) => sites.has(slug)), events);
  const going = windows.filter(({ window }) => !isBefore(time, window.start));
  const ahead = windows.filter(({ window }) => isBefore(time, window.start)).slice(0, MOST_AHEAD);
  return (
    <>
      <ActiveIncidents view={view} incidents={open} link={link} />
      {windows.length > 0 && (
        <section>
          <h2>{language.say("maintenance")}</h2>
          <ul class="card past">
            {[...going, ...ahead].map((one) => <Window {...one} view={view} link={link} />)}
          </ul>
        </section>
      )}
    </>
  );
}

function Window(
  { view: { language, report: { time } }, window, id, link }: ListedWindow & {
    view: View;
    link: Link;
  },
) {
  const { name, start, until } = window;
  const target = id === undefined ? PAGE_PATHS.maintenance : incidentPagePath(id);
  return (
    <li>
      <Shape of="maintenance" />
      <a dir="auto" href={link(target)}>{plainText(name) || language.say("maintenance")}</a>
      <span class="muted">
        <Period from={start} to={until} language={language} />
        {" · "}
        {language.say(isBefore(time, start) ? "incidentScheduled" : "incidentOngoing")}
      </span>
    </li>
  );
}
