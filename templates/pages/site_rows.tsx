import { sitePagePath } from "../../lib/config/page_path.ts";
import { findLeastState } from "../../lib/incidents/impact.ts";
import type { WindowName } from "../../lib/history/windows.ts";
import { computeDisplayStatus } from "../../lib/page/overall.ts";
import { computeWeekMedians } from "../../lib/statistics/medians.ts";
import type { SiteReport } from "../../lib/statistics/report/report.ts";
import { renderSparkline } from "../graph/sparkline.ts";
import { NOTHING, siteName } from "../words.ts";
import type { Language } from "./language.ts";
import { Shape, SiteIcon } from "./parts.tsx";
import { Strip } from "./strip.tsx";
import type { PageView } from "./view.ts";

/** Sites with their states and figures, and bars, which are most of a row: very long lists have none. */
export function SiteRows({ view, sites, hasBars }: {
  view: PageView;
  sites: readonly SiteReport[];
  hasBars: boolean;
}) {
  return (
    <ul class="sites">
      {sites.map((report) => <SiteRow {...{ view, report, hasBars }} />)}
    </ul>
  );
}

function SiteRow({ view, report, hasBars }: {
  view: PageView;
  report: SiteReport;
  hasBars: boolean;
}) {
  const { site, statistics } = report;
  const { language, link } = view;
  const shown = computeDisplayStatus(report, view);
  const name = siteName(site.slug, [site]);
  const wasChecked = statistics.all.checks > 0;
  const isWaiting = shown === "unknown" && !wasChecked && report.record === undefined;
  const uptime = (name: WindowName) =>
    wasChecked ? formatUptime(statistics[name].uptime, language) : "";
  const median = (name: WindowName) => {
    const { responseTimes } = statistics[name];
    const isMeasured = shown !== "down" && responseTimes !== undefined;
    if (isMeasured) return language.milliseconds(responseTimes.p50);
    return wasChecked ? NOTHING : "";
  };
  return (
    <li
      class="site"
      data-slug={site.slug}
      data-least={findLeastState(site.slug, view.report.impacts)}
      data-external={site.isExternal || undefined}
      data-find={site.tags.join(" ") || undefined}
      data-figures={formatFigures((name) => [uptime(name), median(name)])}
    >
      <a class={`name ${shown}`} href={link(sitePagePath(site.slug))}>
        <Shape of={shown} />
        {site.icon === undefined
          ? <span class="called" dir="auto">{name}</span>
          : (
            <span class="called">
              <SiteIcon view={view} site={site} /> <span dir="auto">{name}</span>
            </span>
          )} <span class="word">{language.say(isWaiting ? "waiting" : shown)}</span>
      </a>
      {hasBars && (
        <>
          <Strip report={report} language={language} />
          <Sparkline report={report} />
        </>
      )}
      <span class="ms">{perWidth(median)}</span>
      <span class="uptime">{perWidth(uptime)}</span>
    </li>
  );
}

export function formatUptime(uptime: number | undefined, { share }: Language): string {
  return uptime === undefined ? NOTHING : share(uptime);
}

/** The figure of 90 days, and that of 30 for narrow windows, in which bars show no more; once if they are equal. */
export function perWidth(content: (name: "quarter" | "month") => string) {
  const [wide, narrow] = [content("quarter"), content("month")];
  if (wide === narrow) return wide;
  return (
    <>
      <span class="w90">{wide}</span>
      <span class="w30">{narrow}</span>
    </>
  );
}

/** Figures of day, week and year, which the script shows: `100%|84 ms|99.98%|80 ms|99.97%|82 ms`. */
export function formatFigures(texts: (name: WindowName) => string[]): string {
  return (["day", "week", "year"] as const).flatMap(texts).join("|");
}

/** In pixels, as in the style sheet: points are 6 apart, and equal steps compress well. */
const SPARKLINE = { width: 82, height: 24 };
/** Days and nights of a week. */
const POINTS = 14;

/** The median response times of the last 7 days. */
function Sparkline({ report: { samples } }: { report: SiteReport }) {
  return (
    <svg class="spark" aria-hidden="true">
      <path d={renderSparkline(computeWeekMedians(samples, POINTS), SPARKLINE)} />
    </svg>
  );
}
