import {
  type IncidentDay,
  type ListedIncident,
  openIncidents,
  pastDays,
  plannedMaintenance,
} from "../../lib/page/incidents.ts";
import {
  impactsOn,
  leastRule,
  OVERALL_STATES,
  overallAt,
  overallOfGroup,
  shownOf,
} from "../../lib/page/overall.ts";
import { linksOf, monthPagePath, PAGE_PATHS, sitePagePath } from "../../lib/config/page_path.ts";
import type { Page, View } from "./view.ts";
import { ActiveIncidents, IncidentCards, PlannedWindows } from "./incident_lists.tsx";
import { Layout } from "./layout.tsx";
import { BAR_WINDOWS, PerWindow, Shape, SiteIcon, Time, WindowChoice } from "./parts.tsx";
import { plainText } from "../../lib/text/plain_text.ts";
import { Markdown } from "./markdown.tsx";
import { observedDays } from "../../lib/statistics/report/observed_days.ts";
import { leastState } from "../../lib/incidents/impact.ts";
import type { SiteReport } from "../../lib/statistics/report/report.ts";
import { quarterBars } from "../../lib/statistics/report/window_bars.ts";
import { siteName } from "../words.ts";
import { DayBars } from "./day_bars.tsx";

export const overview: Page = {
  *files(view) {
    yield [PAGE_PATHS.overview, <Overview view={view} />];
  },
};

function Overview({ view }: { view: View }) {
  const { report, language, incidents } = view;
  const overall = overallAt(report);
  const sentence = language.say(overall);
  const open = openIncidents(incidents, report.time);
  const link = linksOf(PAGE_PATHS.overview);
  return (
    <Layout view={view} path={PAGE_PATHS.overview} description={sentence}>
      <section
        class={`hero ${OVERALL_STATES[overall]}`}
        data-overall
        data-least={leastRule(report.impacts?.all)}
      >
        <h1>
          <Shape of={OVERALL_STATES[overall]} /> <span class="word">{sentence}</span>
        </h1>
        <Times view={view} />
      </section>
      <ActiveIncidents view={view} incidents={open} link={link} />
      <Intro view={view} />
      <PlannedSoon view={view} />
      {report.sites.length > 0 && (
        <section>
          <div class="bar">
            <h2>{language.say("liveStatus")}</h2>
            <WindowChoice language={language} of="window" names={BAR_WINDOWS} />
          </div>
          <SiteList view={view} />
        </section>
      )}
      <PastIncidents view={view} />
    </Layout>
  );
}

function Intro({ view }: { view: View }) {
  const { introTitle, introMessage = "" } = view.settings;
  const title = introTitle === undefined ? "" : `# ${plainText(introTitle)}\n\n`;
  if (title + introMessage === "") return null;
  return (
    <section class="intro">
      <Markdown
        text={title + introMessage}
        under={1}
        prefix="intro-"
        view={view}
        link={linksOf(PAGE_PATHS.overview)}
      />
    </section>
  );
}

/** The time of the last check. */
function Times({ view: { checks, language } }: { view: View }) {
  return (
    <p class="times">
      {checks === undefined ? language.say("noChecks") : language.tell("checksUpTo", {
        TIME: (
          <span class="newest">
            <Time at={checks} language={language} />
          </span>
        ),
      })}
    </p>
  );
}

/** Days that are told of, also those without any incident. */
const DAYS = 14;

/** Incidents that are shown of those that began on a day, and of those that went on into it. */
const MOST = 3;

/** Lists the incidents of each of the last days since the first site was monitored. */
function PastIncidents({ view }: { view: View }) {
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

/** Windows ahead that are told of here; the others stand on the page of maintenance. */
const MOST_PLANNED = 3;

/** Maintenance that goes on, and the next that is ahead. */
function PlannedSoon({ view }: { view: View }) {
  const { report: { maintenance, time }, incidents, language } = view;
  const { going, ahead } = plannedMaintenance(maintenance, incidents, time);
  const windows = [
    ...going,
    ...ahead.flatMap(({ next }) => next.slice(0, 1)).slice(0, MOST_PLANNED),
  ];
  if (windows.length === 0) return null;
  const link = linksOf(PAGE_PATHS.overview);
  return (
    <section>
      <h2>{language.say(going.length > 0 ? "maintenance" : "scheduledMaintenance")}</h2>
      <PlannedWindows windows={windows} view={view} link={link} />
    </section>
  );
}

function SiteList({ view }: { view: View }) {
  const { report: { sites, isOutdated: isLate }, language } = view;
  const groups = Map.groupBy(sites, ({ site }) => site.group);
  if (groups.size === 1 && groups.has(undefined)) return <Sites view={view} sites={sites} />;
  return (
    <>
      {[...groups].map(([group, own]) => {
        const overall = overallOfGroup(own, view.report);
        return (
          <section class="group">
            <h3>
              <span dir="auto">
                {group === undefined ? language.say("otherSites") : plainText(group)}
              </span>{" "}
              {!isLate && overall !== "allSystemsOperational" && (
                <small
                  class={OVERALL_STATES[overall]}
                  data-overall
                  data-least={leastRule(impactsOn(own, view.report))}
                >
                  <Shape of={OVERALL_STATES[overall]} />{" "}
                  <span class="word">{language.say(overall)}</span>
                </small>
              )}
            </h3>
            <Sites view={view} sites={own} />
          </section>
        );
      })}
    </>
  );
}

function Sites({ view, sites }: { view: View; sites: readonly SiteReport[] }) {
  if (sites.length === 0) return null;
  return (
    <ul class="sites card">
      {sites.map((one) => <SiteRow view={view} report={one} />)}
    </ul>
  );
}

function SiteRow({ view, report }: { view: View; report: SiteReport }) {
  const { site, statistics } = report;
  const { language } = view;
  const shown = shownOf(report, view);
  const isWaiting = report.record === undefined && statistics.all.checks === 0 && !site.paused;
  const link = linksOf(PAGE_PATHS.overview);
  return (
    <li
      class="site"
      data-slug={site.slug}
      data-least={leastState(site.slug, view.report.impacts)}
    >
      <a class="name" href={link(sitePagePath(site.slug))}>
        <SiteIcon view={view} site={site} link={link} />{" "}
        <span dir="auto">{siteName(site.slug, [site])}</span>
      </a>
      <span class={`state ${shown}`}>
        <Shape of={shown} /> <span class="word">{language.say(shown)}</span>
      </span>
      <span class="figures">
        {isWaiting
          ? language.say("noChecks")
          : (
            <PerWindow statistics={statistics} names={BAR_WINDOWS}>
              {({ uptime, responseTimes }) => (
                <>
                  <b>{language.share(uptime)}</b>
                  {" · "}
                  <bdi>{language.milliseconds(responseTimes?.mean)}</bdi>
                </>
              )}
            </PerWindow>
          )}
      </span>
      <DayBars report={report} language={language} bars={quarterBars(report)} follows />
    </li>
  );
}
