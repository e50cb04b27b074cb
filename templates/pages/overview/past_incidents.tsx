import { pastDays } from "../../../lib/page/incidents/incident_days.ts";
import { linksOf, PAGE_PATHS } from "../../../lib/page/page_path.ts";
import { observedDays } from "../../../lib/report/observed_days.ts";
import type { View } from "../page.ts";
import { IncidentCards } from "../parts/incident_card.tsx";

/** Days that are told of, also those without any incident. */
const DAYS = 14;

/** What happened on each of the last days. */
export function PastIncidents({ view }: { view: View }) {
  const { language, incidents, report, settings } = view;
  const link = linksOf(PAGE_PATHS.overview);
  // A day of a zone may reach into one more of UTC.
  const isObserved = observedDays(report.sites, DAYS + 1);
  return (
    <section>
      <h2>{language.say("pastIncidents")}</h2>
      {pastDays(incidents, report.time, settings.timezone, DAYS).map((day) => (
        <div class="day">
          <h3>
            <time datetime={day.date}>{language.day(day.date)}</time>
          </h3>
          {day.begun.length === 0 && day.continued.length === 0 && (
            <p class="muted">
              {language.say(isObserved(day.window) ? "noIncidents" : "unknown")}
            </p>
          )}
          {day.begun.length > 0 && (
            <IncidentCards view={view} incidents={day.begun} link={link} isDated={false} />
          )}
          {day.continued.length > 0 && (
            <IncidentCards view={view} incidents={day.continued} link={link} />
          )}
        </div>
      ))}
      <p>
        <a href={link(PAGE_PATHS.incidents)}>{language.say("allIncidents")}</a>
      </p>
    </section>
  );
}
