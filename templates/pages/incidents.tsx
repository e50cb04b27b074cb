import { type IncidentMonth, incidentMonths } from "../../lib/page/incidents/incident_months.ts";
import { linksOf, monthPagePath, PAGE_PATHS } from "../../lib/config/page_path.ts";
import type { Page, View } from "./page.ts";
import { Layout } from "./layout/layout.tsx";
import { MonthDays } from "./parts/month_days.tsx";
import { MonthList } from "./parts/month_list.tsx";
import { MonthTurn } from "./parts/month_turn.tsx";

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
