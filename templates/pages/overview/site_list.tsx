import { OVERALL_STATES } from "../../../lib/page/overall.ts";
import { leastState } from "../../../lib/page/impact.ts";
import { impactsOn, leastRule, overallOfGroup } from "../../../lib/page/overall_at.ts";
import { linksOf, PAGE_PATHS, sitePagePath } from "../../../lib/config/page_path.ts";
import type { SiteReport } from "../../../lib/statistics/report/report.ts";
import { shownOf } from "../../../lib/page/shown_of.ts";
import { quarterBars } from "../../../lib/statistics/report/window_bars.ts";
import { plainText } from "../../../lib/text/plain_text.ts";
import { siteName } from "../../site_name.ts";
import type { View } from "../page.ts";
import { DayBars } from "../parts/day_bars.tsx";
import { SiteIcon } from "../parts/icon.tsx";
import { Shape } from "../parts/shape.tsx";
import { BAR_WINDOWS, PerWindow } from "../parts/windows.tsx";

/** All sites by their groups, in the order of the configuration. */
export function SiteList({ view }: { view: View }) {
  const { report: { sites, isOutdated: isLate }, language } = view;
  const groups = Map.groupBy(sites, ({ site }) => site.group);
  if (groups.size === 1 && groups.has(undefined)) return <Sites view={view} sites={sites} />;
  return (
    <>
      {[...groups].map(([group, own]) => {
        const overall = overallOfGroup(own, view.report);
        return (
          <section class="group">
            <h3>
              <span dir="auto">
                {group === undefined ? language.say("otherSites") : plainText(group)}
              </span>{" "}
              {!isLate && overall !== "allSystemsOperational" && (
                <small
                  class={OVERALL_STATES[overall]}
                  data-overall
                  data-least={leastRule(impactsOn(own, view.report))}
                >
                  <Shape of={OVERALL_STATES[overall]} />{" "}
                  <span class="word">{language.say(overall)}</span>
                </small>
              )}
            </h3>
            <Sites view={view} sites={own} />
          </section>
        );
      })}
    </>
  );
}

function Sites({ view, sites }: { view: View; sites: readonly SiteReport[] }) {
  if (sites.length === 0) return null;
  return (
    <ul class="sites card">
      {sites.map((one) => <SiteRow view={view} report={one} />)}
    </ul>
  );
}

function SiteRow({ view, report }: { view: View; report: SiteReport }) {
  const { site, statistics } = report;
  const { language } = view;
  const shown = shownOf(report, view);
  const isWaiting = report.record === undefined && statistics.all.checks === 0 && !site.paused;
  const link = linksOf(PAGE_PATHS.overview);
  return (
    <li
      class="site"
      data-slug={site.slug}
      data-least={leastState(site.slug, view.report.impacts)}
    >
      <a class="name" href={link(sitePagePath(site.slug))}>
        <SiteIcon view={view} site={site} link={link} />{" "}
        <span dir="auto">{siteName(site.slug, [site])}</span>
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
      <DayBars report={report} language={language} bars={quarterBars(report)} follows />
    </li>
  );
}
