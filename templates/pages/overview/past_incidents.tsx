import {
  type IncidentDay,
  type ListedIncident,
  pastDays,
} from "../../../lib/page/incidents/incident_days.ts";
import { linksOf, monthPagePath, PAGE_PATHS } from "../../../lib/config/page_path.ts";
import { observedDays } from "../../../lib/statistics/report/observed_days.ts";
import type { View } from "../page.ts";
import { IncidentCards } from "../parts/incident_card.tsx";

/** Days that are told of, also those without any incident. */
const DAYS = 14;

/** Incidents that are shown of those that began on a day, and of those that went on into it. */
const MOST = 3;

/** Lists the incidents of each of the last days since the first site was monitored. */
export function PastIncidents({ view }: { view: View }) {
  const { language, incidents, report, settings } = view;
  // A day of a zone may reach into one more of UTC.
  const isObserved = observedDays(report.sites, DAYS + 1);
  const first = Math.min(...report.sites.map(({ evidence }) => evidence.first ?? evidence.now));
  const days = pastDays(incidents, report.time, settings.timezone, DAYS)
    .filter(({ window, begun, continued }) =>
      window.to > first || begun.length > 0 || continued.length > 0
    );
  return (
    <section>
      <h2>{language.say("pastIncidents")}</h2>
      {days.map((day) => (
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
function OfDay({ view, day: { date, begun, continued } }: { view: View; day: IncidentDay }) {
  const month = `${linkTo(monthPagePath(date.slice(0, 7)))}#${date}`;
  const others = linkTo(PAGE_PATHS.incidents);
  return (
    <>
      <FirstOf view={view} incidents={begun} isDated={false} others={month} />
      <FirstOf view={view} incidents={continued} others={others} />
    </>
  );
}

function FirstOf({ view, incidents, others, ...more }: {
  view: View;
  incidents: readonly ListedIncident[];
  isDated?: boolean;
  /** Where the others are. */
  others: string;
}) {
  const { language } = view;
  const rest = incidents.length - MOST;
  if (incidents.length === 0) return null;
  return (
    <>
      <IncidentCards view={view} incidents={incidents.slice(0, MOST)} link={linkTo} {...more} />
      {rest > 0 && (
        <p>
          <a href={others}>{language.say("andMore", { COUNT: language.number(rest) })}</a>
        </p>
      )}
    </>
  );
}
