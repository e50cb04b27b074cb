import { maintenanceMonthPath, monthPagePath, PAGE_PATHS } from "../../lib/config/page_path.ts";
import {
  groupByMonth,
  type IncidentMonth,
  type ListedIncident,
  listIncidentMonths,
  listPastMaintenance,
  splitMaintenance,
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
  yield [PAGE_PATHS.incidents, (view) => <Incidents view={view} months={months} at={0} />];
  for (const [at, { month }] of months.entries()) {
    yield [monthPagePath(month), (view) => <Incidents view={view} months={months} at={at} />];
  }
};

function Incidents({ view, months, at }: Omit<MonthProps, "pathOf">) {
  const { language: { say, month: nameOf } } = view;
  const shown = months[at];
  const title = shown === undefined
    ? say("incidentsTitle")
    : say("incidentsOf", { MONTH: nameOf(shown.month) });
  const intro = say("incidentsIntro");
  return <MonthPage {...{ view, months, at, title, intro, pathOf: monthPagePath }} />;
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
    yield [pathOf(month), (view) => <MonthPage {...{ view, title, months, at, pathOf }} />];
  }
};

interface MonthProps {
  view: PageView;
  months: readonly IncidentMonth[];
  at: number;
  pathOf(month: string): string;
}

function MonthPage(
  { title, intro, ...props }: MonthProps & { title: string; intro?: string },
) {
  const { view, months, at } = props;
  const month = months[at];
  return (
    <Layout view={view} title={title} description={intro ?? title}>
      <h1>{title}</h1>
      {intro !== undefined && <p class="muted">{intro}</p>}
      {month === undefined
        ? <p class="card none">{view.language.say("noIncidentsYet")}</p>
        : <MonthDays view={view} days={month.days} />}
      <MonthTurn {...props} />
      <MonthList {...props} />
    </Layout>
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
