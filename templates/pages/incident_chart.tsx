import type { StoredIncident } from "../../lib/history/stored_incidents.ts";
import type { Window } from "../../lib/history/windows.ts";
import type { Outage } from "../../lib/page/outages.ts";
import { computeDetail } from "../../lib/statistics/graph.ts";
import type { SiteReport } from "../../lib/statistics/report/report.ts";
import { HOUR } from "../../lib/time.ts";
import { ChartWithTable, PATTERNS } from "./chart.tsx";
import { computeChartTicks } from "./chart_ticks.ts";
import type { PageView } from "./view.ts";

/** More points make a page heavier and a line no clearer. */
const MOST_POINTS = 100;

/** The chart of the single checks of a site around one of its incidents; absent if they are not kept any more. */
export function IncidentChart({ view, report, incident, outages }: {
  view: PageView;
  report: SiteReport;
  incident: StoredIncident;
  outages: readonly Outage[];
}) {
  const { language, olderTimes, settings: { timezone } } = view;
  const start = incident.start.epochMilliseconds;
  const end = incident.end?.epochMilliseconds ?? Infinity;
  const to = Math.min(report.samples.now, end + HOUR);
  const ticks = (window: Window) => computeChartTicks(window, timezone);
  const older = olderTimes.get(report.site.slug) ?? [];
  const scope = { window: { from: start - HOUR, to }, start, older };
  const graph = to < start
    ? undefined
    : computeDetail(report, scope, { timezone, points: MOST_POINTS });
  if (graph === undefined) return null;
  return (
    <section>
      {PATTERNS}
      <h2>{language.say("responseTime")}</h2>
      <figure class="card">
        <ChartWithTable
          {...{ view, graph, outages, ticks }}
          title={language.say("aroundIncident")}
        />
      </figure>
    </section>
  );
}
