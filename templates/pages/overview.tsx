import { openIncidents } from "../../lib/page/incidents/open_incidents.ts";
import { OVERALL_STATES } from "../../lib/page/overall.ts";
import { leastRule, overallAt } from "../../lib/page/overall_at.ts";
import { linksOf, PAGE_PATHS } from "../../lib/config/page_path.ts";
import type { Page, View } from "./page.ts";
import { ActiveIncidents } from "./parts/active_incidents.tsx";
import { Intro } from "./overview/intro.tsx";
import { Layout } from "./layout/layout.tsx";
import { PastIncidents } from "./overview/past_incidents.tsx";
import { PlannedSoon } from "./overview/planned_soon.tsx";
import { Shape } from "./parts/shape.tsx";
import { SiteList } from "./overview/site_list.tsx";
import { Times } from "./overview/times.tsx";
import { BAR_WINDOWS, WindowChoice } from "./parts/windows.tsx";

/** How everything is, on one page. */
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
