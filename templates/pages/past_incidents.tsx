import { incidentPagePath, PAGE_PATHS } from "../../lib/config/page_path.ts";
import { computeStage } from "../../lib/history/stored_incidents.ts";
import { findShownEnd, type ListedIncident, sortNewestFirst } from "../../lib/page/incidents.ts";
import { plainText, shorten } from "../../lib/text/plain_text.ts";
import { formatTime } from "../../lib/time.ts";
import { describeIncident, LONGEST_NAME } from "./incident_words.ts";
import { ErrorText } from "./incident_cards.tsx";
import { DOT, Lasting, Period, Shape } from "./parts.tsx";
import type { PageView } from "./view.ts";

const MOST_PAST = 50;
const LONGEST_ERROR = 120;

/** Incidents and maintenance of a site or a group that have started, the newest first. */
export function PastIncidents(
  { view, incidents }: { view: PageView; incidents: readonly ListedIncident[] },
) {
  const { language, link } = view;
  const started = sortNewestFirst(
    incidents.filter(([, one]) => computeStage(one, view.report.time) !== "ahead"),
  );
  return (
    <section>
      <h2>{language.say("siteIncidents")}</h2>
      {started.length === 0 ? <p class="muted">{language.say("siteQuiet")}</p> : (
        <ul class="log">
          {started.slice(0, MOST_PAST).map((one) => <PastRow view={view} one={one} />)}
        </ul>
      )}
      <p class="more">
        <a href={link(PAGE_PATHS.incidents)}>{language.say("allIncidents")}</a>
        <a href={link(PAGE_PATHS.maintenance)}>{language.say("allMaintenance")}</a>
      </p>
    </section>
  );
}

function PastRow(
  { view, one: [id, incident] }: { view: PageView; one: ListedIncident },
) {
  const { language } = view;
  const words = describeIncident(incident, view);
  const { title, direction, state } = words;
  const error = "error" in incident ? plainText(incident.error) : "";
  const end = findShownEnd(incident, view.report);
  const day = language.dateOf(incident.start);
  const isThisYear = day.slice(0, 4) === language.dateOf(view.report.time).slice(0, 4);
  const isSameDay = end === undefined || day === language.dateOf(end);
  return (
    <li>
      <time class="date" datetime={formatTime(incident.start)}>
        {isThisYear ? language.shortDay(day) : language.day(day)}
      </time>
      <span class="what">
        <Shape of={state} />{" "}
        <a dir={direction ?? language.sentenceDirection} href={view.link(incidentPagePath(id))}>
          {shorten(title, LONGEST_NAME)}
        </a>
      </span>
      <span class="muted">
        <Period from={incident.start} to={end} language={language} isDated={!isSameDay} />
        {DOT}
        <Lasting words={words} of="length" />
        {error !== "" &&
          [DOT, <ErrorText error={error} view={view} most={LONGEST_ERROR} />]}
      </span>
    </li>
  );
}
