import type { WindowName } from "../../lib/history/windows.ts";
import { PAGE_PATHS, sitePagePath } from "../../lib/config/page_path.ts";
import type { SiteReport } from "../../lib/statistics/report/report.ts";
import {
  findWindowFiles,
  groupBySite,
  type ListedIncident,
  type ListedWindow,
  listOpenIncidents,
} from "../../lib/page/incidents.ts";
import { hasNames, hasSiteFeeds, listGroups, type SiteGroup } from "../../lib/page/groups.ts";
import { isBeyondMonitoring } from "../../lib/page/monitored.ts";
import { listOutages } from "../../lib/page/outages.ts";
import { computeDisplayStatus } from "../../lib/page/overall.ts";
import { isBefore } from "../../lib/time.ts";
import { siteName } from "../words.ts";
import { Charts } from "./chart.tsx";
import { cacheTicks, type ChartTicks } from "./chart_ticks.ts";
import { nameGroup } from "./group_words.tsx";
import { ActiveIncidents } from "./incident_cards.tsx";
import { Layout } from "./layout.tsx";
import { Locations } from "./locations.tsx";
import { FIRST_WINDOW, WindowChoice } from "./parts.tsx";
import { PastIncidents } from "./past_incidents.tsx";
import { PlannedWindows } from "./planned.tsx";
import { Badges, Figures } from "./site_figures.tsx";
import { SiteFacts, SiteHeadline } from "./site_headline.tsx";
import { Tiles } from "./site_tiles.tsx";
import { StripDays } from "./strip_days.tsx";
import { Strip, StripEnds } from "./strip.tsx";
import { Timing } from "./timing.tsx";
import type { Page, PageView } from "./view.ts";
import { Year } from "./year.tsx";

export const sitePages: Page = function* (
  { incidents: all, settings, report: whole },
) {
  const bySite = groupBySite(all);
  const ticks = cacheTicks(settings.timezone);
  const groups = listGroups(whole);
  const planned = findWindowFiles(whole.maintenance, all);
  const open = new Map(listOpenIncidents(all, whole));
  const effects = Map.groupBy(open, ([, one]) => "cause" in one ? one.cause : undefined);
  for (const one of groups) {
    const group = hasNames(groups) ? one : undefined;
    for (const report of one.sites) {
      const { slug } = report.site;
      const incidents = bySite.get(slug) ?? [];
      const ongoing = incidents.filter(([id]) => open.has(id))
        .flatMap((one) => [one, ...effects.get(one[0]) ?? []]);
      const windows = planned.filter(({ window: { sites } }) => sites.has(slug));
      yield [
        sitePagePath(slug),
        (view) => <SitePage {...{ view, report, group, incidents, ongoing, windows, ticks }} />,
      ];
    }
  }
};

function SitePage({ view, report, group, incidents, ongoing, windows, ticks }: {
  view: PageView;
  report: SiteReport;
  /** Absent if no site has a group. */
  group?: SiteGroup;
  incidents: readonly ListedIncident[];
  /** The open ones of these, with those that they have caused. */
  ongoing: readonly ListedIncident[];
  windows: readonly ListedWindow[];
  ticks: ChartTicks;
}) {
  const { language } = view;
  const { site, statistics } = report;
  const NAME = siteName(site.slug, [site]);
  const STATE = language.say(computeDisplayStatus(report, view));
  const description = language.say("siteDescription", {
    NAME: language.isolate(NAME),
    STATE,
  });
  const feeds = hasSiteFeeds(view.report)
    ? { page: sitePagePath(site.slug), title: NAME }
    : group && { page: group.path, title: nameGroup(group.name, language) };
  const wasChecked = report.record !== undefined || statistics.all.checks > 0;
  return (
    <Layout view={view} title={NAME} description={description} feeds={feeds}>
      <p class="back">
        <a href={view.link(PAGE_PATHS.overview)}>{language.say("allSites")}</a>
        {group && [
          " / ",
          <a href={view.link(group.path)} dir="auto">{nameGroup(group.name, language)}</a>,
        ]}
      </p>
      <SiteHeadline view={view} report={report} />
      <SiteFacts view={view} report={report} />
      <Present view={view} slug={site.slug} incidents={ongoing} windows={windows} />
      <Uptime view={view} report={report} wasChecked={wasChecked} />
      {wasChecked && (
        <>
          <Locations view={view} report={report} />
          <section>
            <h2>{language.say("responseTime")}</h2>
            <Charts view={view} report={report} outages={listOutages(incidents)} ticks={ticks} />
          </section>
          <Timing view={view} report={report} />
          <Year view={view} report={report} />
        </>
      )}
      <PastIncidents view={view} incidents={incidents} />
      {wasChecked && <Figures report={report} language={language} />}
      <Badges view={view} site={site} />
    </Layout>
  );
}

/** The bars of the chosen period, and the figures of the same time. */
function Uptime({ view, report, wasChecked }: {
  view: PageView;
  report: SiteReport;
  wasChecked: boolean;
}) {
  const { language } = view;
  const isDisabled = (name: WindowName) =>
    name !== FIRST_WINDOW && isBeyondMonitoring(name, report.samples);
  return (
    <section>
      <div class="bar">
        <h2>{language.say("uptime")}</h2>
        {wasChecked && <WindowChoice language={language} of="period" isDisabled={isDisabled} />}
      </div>
      <div class="card">
        <Strip report={report} language={language} isAlone />
        <StripEnds view={view} sites={[report]} />
        <StripDays view={view} sites={[report]} />
      </div>
      {wasChecked && <Tiles report={report} language={language} />}
    </section>
  );
}

interface IncidentsProps {
  view: PageView;
  incidents: readonly ListedIncident[];
}

const MOST_PLANNED = 3;

/** Ongoing incidents, and ongoing and planned maintenance. */
function Present(
  { view, slug, incidents, windows }: IncidentsProps & {
    slug: string;
    windows: readonly ListedWindow[];
  },
) {
  const { language, report } = view;
  const { time } = report;
  const open = listOpenIncidents(new Map(incidents), report);
  const isAhead = ({ window }: ListedWindow) => isBefore(time, window.start);
  const ahead = windows.filter(isAhead).slice(0, MOST_PLANNED);
  return (
    <>
      <ActiveIncidents view={view} incidents={open} of={slug} />
      {windows.length > 0 && (
        <section>
          <h2>{language.say("maintenance")}</h2>
          <PlannedWindows
            windows={[...windows.filter((one) => !isAhead(one)), ...ahead]}
            view={view}
          />
        </section>
      )}
    </>
  );
}
