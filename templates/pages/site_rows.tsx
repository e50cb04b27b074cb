import { sitePagePath } from "../../lib/config/page_path.ts";
import { findLeastState } from "../../lib/incidents/impact.ts";
import { MOST_SITES } from "../../lib/page/groups.ts";
import { computeDisplayStatus } from "../../lib/page/overall.ts";
import { quarterBars } from "../../lib/statistics/report/bars.ts";
import type { SiteReport } from "../../lib/statistics/report/report.ts";
import { siteName } from "../words.ts";
import { DayBars } from "./day_bars.tsx";
import { BAR_WINDOWS, PerWindow, Shape, SiteIcon } from "./parts.tsx";
import type { PageView } from "./view.ts";

/** Sites with their states, figures, and bars of their days: these are most of a page, so long lists have none. */
export function SiteRows({ view, sites }: { view: PageView; sites: readonly SiteReport[] }) {
  const hasBars = sites.length <= MOST_SITES;
  return (
    <ul class="sites card">
      {sites.map((one) => <SiteRow view={view} report={one} hasBars={hasBars} />)}
    </ul>
  );
}

function SiteRow({ view, report, hasBars }: {
  view: PageView;
  report: SiteReport;
  hasBars: boolean;
}) {
  const { site, statistics, record } = report;
  const { language, link } = view;
  const shown = computeDisplayStatus(report, view);
  const isWaiting = record === undefined && statistics.all.checks === 0 && !site.paused;
  return (
    <li
      class="site"
      data-slug={site.slug}
      data-least={findLeastState(site.slug, view.report.impacts)}
    >
      <a class="name" href={link(sitePagePath(site.slug))}>
        <SiteIcon view={view} site={site} /> <span dir="auto">{siteName(site.slug, [site])}</span>
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
      {hasBars && (
        <DayBars
          report={report}
          language={language}
          bars={quarterBars(report)}
          follows
        />
      )}
    </li>
  );
}
