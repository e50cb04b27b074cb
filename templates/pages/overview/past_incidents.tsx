import { type IncidentDay, pastDays } from "../../../lib/page/incidents/incident_days.ts";
import { linksOf, monthPagePath, PAGE_PATHS } from "../../../lib/page/page_path.ts";
import { observedDays } from "../../../lib/report/observed_days.ts";
import type { View } from "../page.ts";
import { IncidentCards } from "../parts/incident_card.tsx";

/** Days that are told of, also those without any incident. */
const DAYS = 14;

/** Incidents of a day that are shown; its month has them all. */
const MOST = 3;

/** What happened on each of the last days. */
export function PastIncidents({ view }: { view: View }) {
  const { language, incidents, report, settings } = view;
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
          {day.begun.length === 0 && day.continued.length === 0
            ? (
              <p class="muted">
                {language.say(isObserved(day.window) ? "noIncidents" : "unknown")}
              </p>
            )
            : <OfDay view={view} day={day} />}
        </div>
      ))}
      <p>
        <a href={linkTo(PAGE_PATHS.incidents)}>{language.say("allIncidents")}</a>
      </p>
    </section>
  );
}

const linkTo = linksOf(PAGE_PATHS.overview);

/** The incidents of a day that has some: the first ones, and how many more there are. */
function OfDay({ view, day }: { view: View; day: IncidentDay }) {
  const { language } = view;
  const begun = day.begun.slice(0, MOST);
  const continued = day.continued.slice(0, MOST - begun.length);
  const [hidden, ...more] = [
    ...day.begun.slice(begun.length),
    ...day.continued.slice(continued.length),
  ];
  const date = hidden && language.dateOf(hidden[1].start);
  return (
    <>
      {begun.length > 0 && (
        <IncidentCards view={view} incidents={begun} link={linkTo} isDated={false} />
      )}
      {continued.length > 0 && <IncidentCards view={view} incidents={continued} link={linkTo} />}
      {date !== undefined && (
        <p>
          <a href={`${linkTo(monthPagePath(date.slice(0, 7)))}#${date}`}>
            {language.say("andMore", { COUNT: language.number(1 + more.length) })}
          </a>
        </p>
      )}
    </>
  );
}
