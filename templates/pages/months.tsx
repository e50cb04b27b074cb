import {
  type IncidentMonth,
  incidentMonths,
  monthsOf,
  pastMaintenance,
  plannedMaintenance,
} from "../../lib/page/incidents.ts";
import {
  linksOf,
  maintenanceMonthPath,
  monthPagePath,
  PAGE_PATHS,
} from "../../lib/config/page_path.ts";
import type { Page, View } from "./view.ts";
import { Layout } from "./layout.tsx";
import {
  IncidentCards,
  MonthDays,
  MonthList,
  MonthTurn,
  PlannedSeries,
  PlannedWindows,
} from "./incident_lists.tsx";

/** Incidents by their months: the newest one, and a page for each. */
export const incidents: Page = {
  *files(view) {
    const months = incidentMonths(view.incidents, view.language.dateOf);
    const paths = [PAGE_PATHS.incidents, ...months.map(({ month }) => monthPagePath(month))];
    for (const [index, path] of paths.entries()) {
      const at = Math.max(0, index - 1);
      yield [path, <Incidents view={view} path={path} months={months} at={at} />];
    }
  },
};

function Incidents({ view, path, months, at }: {
  view: View;
  path: string;
  months: readonly IncidentMonth[];
  at: number;
}) {
  const { language, settings } = view;
  const { say } = language;
  const shown = months[at];
  const title = shown === undefined
    ? say("incidentsTitle")
    : say("incidentsOf", { MONTH: language.month(shown.month) });
  const link = linksOf(path, settings.base);
  const turn = { language, months, at, linkTo: (month: string) => link(monthPagePath(month)) };
  return (
    <Layout view={view} path={path} title={title} description={say("incidentsIntro")}>
      <h1>{title}</h1>
      <p class="muted">{say("incidentsIntro")}</p>
      {shown === undefined
        ? <p class="card none">{say("noIncidentsYet")}</p>
        : <MonthDays view={view} month={shown} link={link} />}
      <MonthTurn {...turn} />
      <MonthList {...turn} />
    </Layout>
  );
}

/** Maintenance that goes on, is ahead, and was; a page for each month of what was where one page can't tell it all. */
export const maintenance: Page = {
  *files(view) {
    const past = pastMaintenance(view.incidents, view.report.time);
    const months = past.length > NEWEST ? monthsOf(past, view.language.dateOf) : [];
    const newest = past.slice(0, NEWEST);
    yield [PAGE_PATHS.maintenance, <Maintenance view={view} newest={newest} months={months} />];
    for (const [at, { month }] of months.entries()) {
      const path = maintenanceMonthPath(month);
      yield [path, <Month view={view} path={path} months={months} at={at} />];
    }
  },
};

/** Windows that are over, of which so many stand on the first page. */
const NEWEST = 24;

function Maintenance({ view, newest, months }: {
  view: View;
  newest: ReturnType<typeof pastMaintenance>;
  months: readonly IncidentMonth[];
}) {
  const { report, incidents, language, settings } = view;
  const { say } = language;
  const { going, ahead } = plannedMaintenance(report.maintenance, incidents, report.time);
  const path = PAGE_PATHS.maintenance;
  const link = linksOf(path, settings.base);
  const linkTo = (month: string) => link(maintenanceMonthPath(month));
  const title = say("maintenanceTitle");
  return (
    <Layout view={view} path={path} title={title} description={say("maintenanceIntro")}>
      <h1>{title}</h1>
      <p class="muted">{say("maintenanceIntro")}</p>
      <section>
        <h2>{say("maintenanceNow")}</h2>
        {going.length === 0
          ? <p class="card none">{say("noMaintenanceNow")}</p>
          : <PlannedWindows windows={going} view={view} link={link} />}
      </section>
      <section>
        <h2>{say("scheduledMaintenance")}</h2>
        {ahead.length === 0
          ? <p class="card none">{say("noScheduledMaintenance")}</p>
          : <PlannedSeries series={ahead} view={view} link={link} />}
      </section>
      <section>
        <h2>{say("pastScheduledMaintenance")}</h2>
        {newest.length === 0
          ? <p class="card none">{say("noPastMaintenance")}</p>
          : <IncidentCards incidents={newest} view={view} link={link} />}
      </section>
      <MonthList language={language} months={months} linkTo={linkTo} />
    </Layout>
  );
}

function Month({ view, path, months, at }: {
  view: View;
  path: string;
  months: readonly IncidentMonth[];
  at: number;
}) {
  const { language, settings } = view;
  const month = months[at]!;
  const title = language.say("maintenanceOf", { MONTH: language.month(month.month) });
  const link = linksOf(path, settings.base);
  const turn = { language, months, at, linkTo: (one: string) => link(maintenanceMonthPath(one)) };
  return (
    <Layout view={view} path={path} title={title} description={title}>
      <h1>{title}</h1>
      <MonthDays view={view} month={month} link={link} />
      <MonthTurn {...turn} />
      <MonthList {...turn} />
    </Layout>
  );
}
