import { listSlugs, type StoredIncident } from "../../lib/history/stored_incidents.ts";
import { listOutages, toChartWindow } from "../../lib/page/outages.ts";
import { NO_TIMES } from "../../lib/history/older_times.ts";
import { computeDetail, type WindowGraph } from "../../lib/statistics/graph.ts";
import type { SiteReport } from "../../lib/statistics/report/report.ts";
import { ChartWithTable, PATTERNS } from "./chart.tsx";
import { cacheTicks } from "./chart_ticks.ts";
import { SiteLink } from "./parts.tsx";
import { describeSite, type PageView } from "./view.ts";

/** More points make a page heavier and a line no clearer. */
const MOST_POINTS = 100;

/** Most charts of an incident of several services. */
const MOST_CHARTS = 4;

interface ChartsProps {
  view: PageView;
  incident: StoredIncident;
}

/** Charts of the single checks around an incident, one for each of its first services of which they are kept. */
export function IncidentCharts(props: ChartsProps) {
  const { view, incident } = props;
  const { language: { say, isolate }, report, settings: { timezone } } = view;
  const slugs = listSlugs(incident);
  const charts = slugs.flatMap((slug) => {
    const site = report.sites.find((one) => one.site.slug === slug);
    if (site === undefined) return [];
    const graph = computeIncidentGraph(site, props);
    return graph === undefined ? [] : [{ slug, site, graph }];
  }).slice(0, MOST_CHARTS);
  if (charts.length === 0) return null;
  const ticks = cacheTicks(timezone);
  const titleOf = (slug: string) =>
    slugs.length === 1
      ? say("aroundIncident")
      : say("aroundIncidentOf", { NAME: isolate(describeSite(slug, report)) });
  return (
    <section>
      {PATTERNS}
      <h2>{say("responseTime")}</h2>
      {charts.map(({ slug, site, graph }) => (
        <figure class="card">
          {slugs.length > 1 && (
            <figcaption>
              <SiteLink slug={slug} view={view} />
            </figcaption>
          )}
          <ChartWithTable
            {...{ view, graph, ticks }}
            outages={listOutages([...site.history.incidents])}
            title={titleOf(slug)}
          />
        </figure>
      ))}
    </section>
  );
}

function computeIncidentGraph(
  report: SiteReport,
  { view, incident }: ChartsProps,
): WindowGraph | undefined {
  const { olderTimes, settings: { timezone } } = view;
  const window = toChartWindow(
    incident,
    Temporal.Instant.fromEpochMilliseconds(report.samples.now),
  );
  const start = incident.start.epochMilliseconds;
  if (window.to < start) return undefined;
  const older = olderTimes.get(report.site.slug) ?? NO_TIMES;
  return computeDetail(report, { window, start, older }, { timezone, points: MOST_POINTS });
}
