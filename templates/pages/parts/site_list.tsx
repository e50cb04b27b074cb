import { linkFrom, PAGE_PATHS, sitePagePath } from "../../../lib/page/page_path.ts";
import type { SiteReport } from "../../../lib/report/report.ts";
import { shownState } from "../../../lib/report/shown_state.ts";
import { siteName } from "../../site_name.ts";
import type { View } from "../page.ts";
import { DayBars } from "./day_bars.tsx";
import { Shape } from "./shape.tsx";
import { PerWindow } from "./windows.tsx";

/** All sites by their groups, in the order of the configuration. */
export function SiteList({ view }: { view: View }) {
  const { report: { sites }, language } = view;
  const groups = Map.groupBy(sites, ({ site }) => site.group);
  if (groups.size === 1 && groups.has(undefined)) return <Sites view={view} sites={sites} />;
  return [...groups].map(([group, own]) => (
    <section class="group">
      <h3 dir="auto">{group ?? language.say("otherSites")}</h3>
      <Sites view={view} sites={own} />
    </section>
  ));
}

function Sites({ view, sites }: { view: View; sites: readonly SiteReport[] }) {
  return (
    <ul class="sites">
      {sites.map((one) => <SiteRow view={view} report={one} />)}
    </ul>
  );
}

function SiteRow({ view, report }: { view: View; report: SiteReport }) {
  const { site, statistics } = report;
  const { language } = view;
  const shown = site.paused ? "paused" : shownState(report);
  return (
    <li class="site" data-slug={site.slug}>
      <Shape of={shown} />
      <a class="name" dir="auto" href={linkFrom(PAGE_PATHS.overview, sitePagePath(site.slug))}>
        {siteName(site.slug, [site])}
      </a>
      <span class="state">{language.say(shown)}</span>
      <span class="figures">
        <PerWindow statistics={statistics}>
          {({ uptime, responseTimes }) => [
            <b>{language.share(uptime)}</b>,
            " · ",
            language.milliseconds(responseTimes?.mean),
          ]}
        </PerWindow>
      </span>
      <DayBars report={report} language={language} days={90} />
    </li>
  );
}
