import {
  linksOf,
  maintenanceMonthPath,
  monthPagePath,
  PAGE_PATHS,
} from "../../lib/config/page_path.ts";
import {
  groupByMonth,
  type IncidentMonth,
  type ListedIncident,
  listIncidentMonths,
  listPastMaintenance,
  splitMaintenance,
} from "../../lib/page/incidents.ts";
import type { Content } from "./html.ts";
import {
  IncidentCards,
  MonthDays,
  MonthList,
  MonthTurn,
  PlannedSeries,
  PlannedWindows,
} from "./incident_lists.tsx";
import { Layout } from "./layout.tsx";
import type { Page, View } from "./view.ts";

/** Incidents by month: the newest month, and a page for each. */
export const incidents: Page = {
  *files(view) {
    const { language: { say, dateOf, month: nameOf } } = view;
    const months = listIncidentMonths(view.incidents, dateOf);
    const paths = [PAGE_PATHS.incidents, ...months.map(({ month }) => monthPagePath(month))];
    for (const [index, path] of paths.entries()) {
      const at = Math.max(0, index - 1);
      const shown = months[at];
      const title = shown === undefined
        ? say("incidentsTitle")
        : say("incidentsOf", { MONTH: nameOf(shown.month) });
      const intro = say("incidentsIntro");
      const props = { view, path, title, intro, months, at, pathOf: monthPagePath };
      yield [path, <MonthPage {...props} />];
    }
  },
};

/** Most past windows on the first page of maintenance; if there are more, each month has a page. */
const NEWEST = 24;

/** Ongoing, planned and past maintenance. */
export const maintenance: Page = {
  *files(view) {
    const { language: { say, dateOf, month: nameOf } } = view;
    const past = listPastMaintenance(view.incidents, view.report.time);
    const months = past.length > NEWEST ? groupByMonth(past, dateOf) : [];
    const newest = past.slice(0, NEWEST);
    yield [PAGE_PATHS.maintenance, <Maintenance view={view} newest={newest} months={months} />];
    for (const [at, { month }] of months.entries()) {
      const path = maintenanceMonthPath(month);
      const title = say("maintenanceOf", { MONTH: nameOf(month) });
      const props = { view, path, title, months, at, pathOf: maintenanceMonthPath };
      yield [path, <MonthPage {...props} />];
    }
  },
};

function MonthPage({ view, path, title, intro, months, at, pathOf }: {
  view: View;
  path: string;
  title: string;
  intro?: string;
  months: readonly IncidentMonth[];
  at: number;
  pathOf(month: string): string;
}) {
  const { language, settings } = view;
  const link = linksOf(path, settings.base);
  const month = months[at];
  const turn = { language, months, at, linkTo: (one: string) => link(pathOf(one)) };
  return (
    <Layout view={view} path={path} title={title} description={intro ?? title}>
      <h1>{title}</h1>
      {intro !== undefined && <p class="muted">{intro}</p>}
      {month === undefined
        ? <p class="card none">{language.say("noIncidentsYet")}</p>
        : <MonthDays view={view} month={month} link={link} />}
      <MonthTurn {...turn} />
      <MonthList {...turn} />
    </Layout>
  );
}

function Maintenance({ view, newest, months }: {
  view: View;
  newest: readonly ListedIncident[];
  months: readonly IncidentMonth[];
}) {
  const { report, incidents, language, settings } = view;
  const { say } = language;
  const { going, ahead } = splitMaintenance(report.maintenance, incidents, report.time);
  const path = PAGE_PATHS.maintenance;
  const link = linksOf(path, settings.base);
  const linkTo = (month: string) => link(maintenanceMonthPath(month));
  const title = say("maintenanceTitle");
  const sections: [title: string, content: Content, none: string][] = [
    [
      say("maintenanceNow"),
      going.length > 0 && <PlannedWindows windows={going} view={view} link={link} />,
      say("noMaintenanceNow"),
    ],
    [
      say("scheduledMaintenance"),
      ahead.length > 0 && <PlannedSeries series={ahead} view={view} link={link} />,
      say("noScheduledMaintenance"),
    ],
    [
      say("pastScheduledMaintenance"),
      newest.length > 0 && <IncidentCards incidents={newest} view={view} link={link} />,
      say("noPastMaintenance"),
    ],
  ];
  return (
    <Layout view={view} path={path} title={title} description={say("maintenanceIntro")}>
      <h1>{title}</h1>
      <p class="muted">{say("maintenanceIntro")}</p>
      {sections.map(([heading, content, none]) => (
        <section>
          <h2>{heading}</h2>
          {content || <p class="card none">{none}</p>}
        </section>
      ))}
      <MonthList language={language} months={months} linkTo={linkTo} />
    </Layout>
  );
}
