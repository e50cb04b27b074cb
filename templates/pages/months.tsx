import { maintenanceMonthPath, monthPagePath, PAGE_PATHS } from "../../lib/config/page_path.ts";
import {
  groupByMonth,
  type IncidentMonth,
  type ListedIncident,
  listIncidentMonths,
  listPastMaintenance,
  splitMaintenance,
  splitMonth,
} from "../../lib/page/incidents.ts";
import type { MessageKey } from "../../lib/text/messages.ts";
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
import type { Page, PageView } from "./view.ts";

/** Incidents by month: the newest month, and a page for each. */
export const incidents: Page = function* ({ incidents, language: { dateOf } }) {
  const months = listIncidentMonths(incidents, dateOf);
  yield [PAGE_PATHS.incidents, (view) => <Incidents view={view} months={months} at={0} page={0} />];
  for (const [at, { month }] of months.entries()) {
    for (const page of splitMonth(months[at]!).keys()) {
      const path = monthPagePath(month, page + 1);
      yield [path, (view) => <Incidents view={view} months={months} at={at} page={page} />];
    }
  }
};

function Incidents({ view, months, at, page }: Omit<MonthProps, "pathOf">) {
  const { language: { say, month: nameOf } } = view;
  const shown = months[at];
  const title = shown === undefined
    ? say("incidentsTitle")
    : say("incidentsOf", { MONTH: nameOf(shown.month) });
  const intro = say("incidentsIntro");
  return <MonthPage {...{ view, months, at, page, title, intro, pathOf: monthPagePath }} />;
}

/** Most past windows on the first page of maintenance; if there are more, each month has a page. */
const NEWEST = 24;

export const maintenance: Page = function* ({ incidents, report, language }) {
  const past = listPastMaintenance(incidents, report.time);
  const months = past.length > NEWEST ? groupByMonth(past, language.dateOf) : [];
  const newest = past.slice(0, NEWEST);
  const pathOf = maintenanceMonthPath;
  yield [
    PAGE_PATHS.maintenance,
    (view) => <Maintenance view={view} newest={newest} months={months} />,
  ];
  for (const [at, { month }] of months.entries()) {
    const title = language.say("maintenanceOf", { MONTH: language.month(month) });
    for (const page of splitMonth(months[at]!).keys()) {
      yield [
        pathOf(month, page + 1),
        (view) => <MonthPage {...{ view, title, months, at, page, pathOf }} />,
      ];
    }
  }
};

interface MonthProps {
  view: PageView;
  months: readonly IncidentMonth[];
  at: number;
  /** Index of the page in those of the month. */
  page: number;
  pathOf(month: string, number?: number): string;
}

function MonthPage(
  { title, intro, ...props }: MonthProps & { title: string; intro?: string },
) {
  const { view, months, at, page, pathOf } = props;
  const month = months[at];
  const pages = month === undefined ? [] : splitMonth(month);
  const paths = pages.map((_, index) => pathOf(month!.month, index + 1));
  return (
    <Layout view={view} title={title} description={intro ?? title}>
      <h1>{title}</h1>
      {intro !== undefined && <p class="muted">{intro}</p>}
      {month === undefined
        ? <p class="card none">{view.language.say("noIncidentsYet")}</p>
        : <MonthDays view={view} days={pages[page]!} />}
      {paths.length > 1 && <PageList view={view} paths={paths} at={page} />}
      <MonthTurn {...props} />
      <MonthList {...props} />
    </Layout>
  );
}

/** Links to all pages of a month. */
function PageList({ view: { language, link }, paths, at }: {
  view: PageView;
  paths: readonly string[];
  /** Index of the present page. */
  at: number;
}) {
  return (
    <section>
      <h2>{language.say("pages")}</h2>
      <ul class="month-list">
        {paths.map((path, index) => (
          <li>
            <a href={link(path)} aria-current={index === at ? "page" : undefined}>
              {language.say("pageNumber", { NUMBER: language.number(index + 1) })}
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Maintenance({ view, newest, months }: {
  view: PageView;
  newest: readonly ListedIncident[];
  months: readonly IncidentMonth[];
}) {
  const { report, incidents, language: { say } } = view;
  const { going, ahead } = splitMaintenance(report.maintenance, incidents, report.time);
  const section = (title: MessageKey, none: MessageKey, isEmpty: boolean, content: Content) => (
    <section>
      <h2>{say(title)}</h2>
      {isEmpty ? <p class="card none">{say(none)}</p> : content}
    </section>
  );
  return (
    <Layout view={view} title={say("maintenanceTitle")} description={say("maintenanceIntro")}>
      <h1>{say("maintenanceTitle")}</h1>
      <p class="muted">{say("maintenanceIntro")}</p>
      {section(
        "maintenanceNow",
        "noMaintenanceNow",
        going.length === 0,
        <PlannedWindows windows={going} view={view} />,
      )}
      {section(
        "scheduledMaintenance",
        "noScheduledMaintenance",
        ahead.length === 0,
        <PlannedSeries series={ahead} view={view} />,
      )}
      {section(
        "pastScheduledMaintenance",
        "noPastMaintenance",
        newest.length === 0,
        <IncidentCards incidents={newest} view={view} />,
      )}
      <MonthList view={view} months={months} pathOf={maintenanceMonthPath} />
    </Layout>
  );
}
