import { monthPagePath, PAGE_PATHS } from "../../lib/config/page_path.ts";
import {
  type IncidentDay,
  type ListedIncident,
  listOpenIncidents,
  listPastDays,
  splitMaintenance,
} from "../../lib/page/incidents.ts";
import { findLeastRule } from "../../lib/page/overall.ts";
import { observedDays } from "../../lib/statistics/report/bars.ts";
import { plainText } from "../../lib/text/plain_text.ts";
import { describeOverall } from "./describe_overall.tsx";
import { Headline } from "./headline.tsx";
import { ActiveIncidents, IncidentCards, PlannedWindows } from "./incident_lists.tsx";
import { Layout } from "./layout.tsx";
import { Markdown } from "./markdown.tsx";
import { Services } from "./services.tsx";
import type { Page, PageView } from "./view.ts";

/** Most active incidents: the sites below them should stay in reach. */
const MOST_ACTIVE = 30;

export const overview: Page = () => [[PAGE_PATHS.overview, Overview]];

function Overview(view: PageView) {
  const { report, incidents } = view;
  const words = describeOverall(view);
  const { overall, sentence, line } = words;
  const title = overall === "allSystemsOperational" ? undefined : sentence;
  const description = `${view.language.say("sentence", { TEXT: sentence })} ${line}`.trim();
  return (
    <Layout {...{ view, title, description }}>
      <Headline view={view} words={words} least={findLeastRule(report.impacts?.all)} />
      <ActiveIncidents
        view={view}
        incidents={listOpenIncidents(incidents, report.time)}
        most={MOST_ACTIVE}
      />
      <Intro view={view} />
      <Maintenance view={view} />
      {report.sites.length > 0 && <Services view={view} sites={report.sites} />}
      <PastIncidents view={view} />
    </Layout>
  );
}

function Intro({ view }: { view: PageView }) {
  const { introTitle, introMessage = "" } = view.settings;
  const title = introTitle === undefined ? "" : `# ${plainText(introTitle)}\n\n`;
  const text = title + introMessage;
  if (text === "") return null;
  return (
    <section class="intro">
      <Markdown {...{ text, under: 1, prefix: "intro-", view }} />
    </section>
  );
}

const MOST_PLANNED = 3;

/** Ongoing maintenance, and the next windows of some series. */
function Maintenance({ view }: { view: PageView }) {
  const { report: { maintenance, time }, incidents, language } = view;
  const { going, ahead } = splitMaintenance(maintenance, incidents, time);
  const next = ahead.flatMap((series) => series.next.slice(0, 1)).slice(0, MOST_PLANNED);
  const windows = [...going, ...next];
  if (windows.length === 0) return null;
  return (
    <section>
      <h2>{language.say(going.length > 0 ? "maintenance" : "scheduledMaintenance")}</h2>
      <PlannedWindows windows={windows} view={view} />
    </section>
  );
}

const PAST_DAYS = 14;
/** Most incidents per day that started on it, and that started before. */
const MOST_PER_DAY = 3;

/** The incidents of the last days since the first site was monitored. */
function PastIncidents({ view }: { view: PageView }) {
  const { language, incidents, report: { sites, time }, settings, link } = view;
  // A day of a zone may overlap one more day of UTC.
  const isObserved = observedDays(sites, PAST_DAYS + 1);
  const first = Math.min(...sites.map(({ samples }) => samples.first ?? samples.now));
  const days = listPastDays(incidents, time, settings.timezone, PAST_DAYS)
    .filter(({ window, started, continued }) =>
      window.to > first || started.length > 0 || continued.length > 0
    );
  return (
    <section>
      <h2>{language.say("pastIncidents")}</h2>
      {days.map((day) => (
        <div class="day">
          <h3>
            <time datetime={day.date}>{language.day(day.date)}</time>
          </h3>
          {day.started.length === 0 && day.continued.length === 0
            ? (
              <p class="muted">
                {language.say(isObserved(day.window) ? "noIncidents" : "unknown")}
              </p>
            )
            : <Day view={view} day={day} />}
        </div>
      ))}
      <p>
        <a href={link(PAGE_PATHS.incidents)}>{language.say("allIncidents")}</a>
      </p>
    </section>
  );
}

function Day(
  { view, day: { date, started, continued } }: { view: PageView; day: IncidentDay },
) {
  const { language, link } = view;
  const month = `${link(monthPagePath(date.slice(0, 7)))}#${date}`;
  const list = (incidents: readonly ListedIncident[], isDated: boolean, others: string) => {
    const rest = incidents.length - MOST_PER_DAY;
    const first = incidents.slice(0, MOST_PER_DAY);
    return incidents.length > 0 && [
      <IncidentCards view={view} incidents={first} isDated={isDated} />,
      rest > 0 && (
        <p>
          <a href={others}>{language.say("andMore", { COUNT: language.number(rest) })}</a>
        </p>
      ),
    ];
  };
  return [list(started, false, month), list(continued, true, link(PAGE_PATHS.incidents))];
}
