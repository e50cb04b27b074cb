import { endOf } from "../../../lib/history/stage_of.ts";
import { type ListedIncident, newestFirst } from "../../../lib/page/incidents/incident_days.ts";
import { pageStage } from "../../../lib/page/incidents/open_incidents.ts";
import { incidentPagePath, type Link, PAGE_PATHS } from "../../../lib/config/page_path.ts";
import { plainText, shorten } from "../../../lib/text/plain_text.ts";
import { incidentWords } from "../incident_words.ts";
import type { View } from "../page.ts";
import { Period } from "../parts/period.tsx";
import { Shape } from "../parts/shape.tsx";

/** More than these no page lists. */
const MOST = 50;

/** More characters of an error than these no list shows. */
const LONGEST_ERROR = 120;

/** All that has happened to a site, the newest first. */
export function Past(
  { view, events, link }: { view: View; events: readonly ListedIncident[]; link: Link },
) {
  const { language } = view;
  const begun = newestFirst(
    events.filter(([, one]) => pageStage(one, view.report.time) !== "ahead"),
  );
  return (
    <section>
      <h2>{language.say("siteIncidents")}</h2>
      {begun.length === 0
        ? <p class="muted">{language.say("siteQuiet")}</p>
        : (
          <ul class="card past">
            {begun.slice(0, MOST).map((one) => <Row view={view} one={one} link={link} />)}
          </ul>
        )}
      <p class="more">
        <a href={link(PAGE_PATHS.incidents)}>{language.say("allIncidents")}</a>
        <a href={link(PAGE_PATHS.maintenance)}>{language.say("allMaintenance")}</a>
      </p>
    </section>
  );
}

function Row(
  { view, one: [id, incident], link }: {
    view: View;
    one: ListedIncident;
    link: Link;
  },
) {
  const { language } = view;
  const { title, kind, state, length } = incidentWords(incident, view);
  const isOurs = incident.kind === "down" || incident.kind === "degraded";
  const error = "error" in incident ? plainText(incident.error) : "";
  return (
    <li>
      <Shape of={state} />
      <a dir="auto" href={link(incidentPagePath(id))}>{isOurs ? kind : title}</a>
      <span class="muted">
        <Period from={incident.start} to={endOf(incident)} language={language} />
        {" · "}
        {length}
        {error !== "" && (
          <>
            {" · "}
            <bdi>{shorten(error, LONGEST_ERROR)}</bdi>
          </>
        )}
      </span>
    </li>
  );
}
