import type { SiteReport } from "../../../lib/statistics/report/report.ts";
import { graphOf } from "../../../lib/statistics/graph_of.ts";
import type { Graph } from "../../../lib/statistics/graph.ts";
import { WINDOW_NAMES } from "../../../lib/history/windows.ts";
import { DRAWN_STATES } from "../../graph/stretches.ts";
import type { Language } from "../language.ts";
import type { View } from "../page.ts";
import { WindowChoice } from "../parts/windows.tsx";
import { Chart } from "./chart.tsx";
import type { ChartTicks } from "./chart_ticks.ts";
import { GraphTable } from "./graph_table.tsx";
import { PATTERNS } from "./patterns.tsx";

/** More points than these make a page heavier and a line no clearer. */
const MOST_POINTS = 100;

/** The response times of a site in the chosen window. */
export function ResponseGraph(
  { view, report, ticks }: { view: View; report: SiteReport; ticks: ChartTicks },
) {
  const { language, settings: { timezone } } = view;
  return (
    <section>
      <div class="bar">
        <h2>{language.say("responseTime")}</h2>
        <WindowChoice language={language} of="period" />
      </div>
      {PATTERNS}
      {WINDOW_NAMES.map((name) => {
        const graph = graphOf(report, name, { timezone, points: MOST_POINTS });
        return (
          <figure class={`w w-${name} card`}>
            <Chart graph={graph} language={language} ticks={ticks} />
            <Key graph={graph} language={language} />
            <GraphTable graph={graph} language={language} />
          </figure>
        );
      })}
    </section>
  );
}

/** A sample of everything that the graph shows, with its word. */
function Key({ graph: { points, spans }, language }: { graph: Graph; language: Language }) {
  const states = DRAWN_STATES.toReversed().filter((one) =>
    spans.some(({ state }) => state === one)
  );
  return (
    <ul class="key">
      {points.length > 0 && (
        <li>
          <svg class="chart" aria-hidden="true">
            <path class="line" d="M0 6h16" />
          </svg>
          {language.say("median")}
        </li>
      )}
      {points.some(({ p95 }) => p95 !== undefined) && (
        <li>
          <svg class="chart" aria-hidden="true">
            <path class="band" d="M0 0h16v12H0z" />
          </svg>
          {language.say("p95")}
        </li>
      )}
      {points.some(({ max }) => max !== undefined) && (
        <li>
          <svg class="chart" aria-hidden="true">
            <path class="peaks" d="M4 12V2M12 12V6" />
          </svg>
          {language.say("slowest")}
        </li>
      )}
      {states.map((state) => (
        <li>
          <svg aria-hidden="true">
            <rect width="16" height="12" fill={`url(#p-${state})`} />
          </svg>
          {language.say(state)}
        </li>
      ))}
    </ul>
  );
}
