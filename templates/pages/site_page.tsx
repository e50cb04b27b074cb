import { incidentsBySite } from "../../lib/page/incidents/incidents_by_site.ts";
import type { ListedIncident } from "../../lib/page/incidents/incident_days.ts";
import { linksOf, sitePagePath } from "../../lib/config/page_path.ts";
import type { SiteReport } from "../../lib/statistics/report/report.ts";
import { shownOf } from "../../lib/page/shown_of.ts";
import { siteName } from "../site_name.ts";
import type { Page, View } from "./page.ts";
import { Layout } from "./layout/layout.tsx";
import { Badges } from "./site_page/badges.tsx";
import { type ChartTicks, rememberedTicks } from "./site_page/chart_ticks.ts";
import { Figures } from "./site_page/figures.tsx";
import { Past } from "./site_page/past.tsx";
import { Phases } from "./site_page/phases.tsx";
import { Present } from "./site_page/present.tsx";
import { ResponseGraph } from "./site_page/response_graph.tsx";
import { SiteFacts } from "./site_page/site_facts.tsx";
import { SiteHead } from "./site_page/site_head.tsx";
import { Year } from "./site_page/year.tsx";

/** Everything that is known of one site, on a page for each. */
export const sitePages: Page = {
  *files(view) {
    const events = incidentsBySite(view.incidents);
    const ticks = rememberedTicks(view.settings.timezone);
    for (const report of view.report.sites) {
      const { slug } = report.site;
      const own = events.get(slug) ?? [];
      const page = <SitePage view={view} report={report} events={own} ticks={ticks} />;
      yield [sitePagePath(slug), page];
    }
  },
};

function SitePage({ view, report, events, ticks }: {
  view: View;
  report: SiteReport;
  events: readonly ListedIncident[];
  ticks: ChartTicks;
}) {
  const { language } = view;
  const { site, phases } = report;
  const path = sitePagePath(site.slug);
  const link = linksOf(path);
  const name = siteName(site.slug, [site]);
  const description = language.say("siteDescription", {
    NAME: name,
    STATE: language.say(shownOf(report, view)),
  });
  return (
    <Layout view={view} path={path} title={name} description={description}>
      <SiteHead view={view} report={report} link={link} />
      <Present view={view} slug={site.slug} events={events} link={link} />
      <SiteFacts view={view} report={report} link={link} />
      <Figures report={report} language={language} />
      <ResponseGraph view={view} report={report} ticks={ticks} />
      <Phases phases={phases} language={language} />
      <Year report={report} language={language} />
      <Past view={view} events={events} link={link} />
      <Badges view={view} site={site} link={link} />
    </Layout>
  );
}
