import type { SiteReport } from "../../lib/statistics/report/report.ts";
import { graphOf } from "../../lib/statistics/graph_of.ts";
import type { Graph } from "../../lib/statistics/graph.ts";
import { type Window, WINDOW_NAMES } from "../../lib/history/windows.ts";
import {
  DRAWN_STATES,
  type DrawnState,
  responseTimePaths,
  stretchesOf,
  valueScale,
} from "../graph/plot.ts";
import type { Language } from "./language.ts";
import type { View } from "./view.ts";
import { WINDOW_WORDS, WindowChoice } from "./parts.tsx";
import { DAY, HOUR } from "../../lib/time.ts";
import { TICK_STEPS, type TimeTick } from "../graph/time_ticks.ts";
import { type Element, written } from "./html.ts";
import { type GraphRow, graphRows } from "../../lib/page/graph_rows.ts";

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

/** Where the values stand, in pixels from above, and how high all of it is. */
const PLOT = { top: 24, bottom: 220 };
const HEIGHT = 248;

/** Units from the left to the right of the plot, and to a pixel of its height: whole ones are short and exact enough. */
const WIDTH = 500;
const FINE = 2;
/** Columns that states are drawn in. */
const COLUMNS = 250;

/** Shorter windows are drawn as if they had begun earlier. */
const SHORTEST = HOUR;

/** A graph as wide as there is room; its line stretches, its words don't. */
function Chart(
  { graph, language, ticks }: { graph: Graph; language: Language; ticks: ChartTicks },
) {
  const { points, spans, statistics: { window: { from, to } } } = graph;
  const window = { from: Math.min(from, to - SHORTEST), to };
  const share = (time: number) => (time - window.from) / (window.to - window.from);
  const percent = (part: number) => `${Math.round(part * 1000) / 10}%`;
  const columns = { left: 0, right: COLUMNS, narrowest: 1 };
  const stretches = stretchesOf(spans, { ...columns, window, x: (at) => share(at) * COLUMNS });
  const scale = valueScale(points.map((one) => ({ ...one, p95: one.max ?? one.p95 })), PLOT);
  return (
    <div class="plot">
      <svg class="chart axis" aria-hidden="true" height={HEIGHT}>
        {scale?.ticks.slice(1).map((tick) => (
          <text x="100%" y={scale.y(tick) + 4} class="end">{language.milliseconds(tick)}</text>
        ))}
      </svg>
      <svg class="chart" role="img" aria-label={summaryOf(graph, language)} height={HEIGHT}>
        {stretches.map(({ left, right, state }) => (
          <rect
            x={percent(left / COLUMNS)}
            width={percent((right - left) / COLUMNS)}
            y={PLOT.top}
            height={PLOT.bottom - PLOT.top}
            fill={`url(#p-${state})`}
          />
        ))}
        {scale?.ticks.slice(1).map((tick) => <Line y={scale.y(tick)} />)}
        <Line y={PLOT.bottom} />
        {scale === undefined
          ? <text x="50%" y="128" class="mid">{language.say("noTimes")}</text>
          : (
            <svg
              viewBox={`0 0 ${WIDTH} ${FINE * HEIGHT}`}
              preserveAspectRatio="none"
              width="100%"
              height={HEIGHT}
            >
              <Paths
                points={points}
                x={(time) => Math.round(share(time) * WIDTH)}
                y={(value) => Math.round(scale.y(value) * FINE)}
              />
            </svg>
          )}
        {ticks(window).map((tick) => {
          const at = share(tick.time);
          const side = at < EDGE ? "" : at > 1 - EDGE ? "end" : "mid";
          const classes = [side, tick.isGreater && "great", tick.isWide && "wide"].filter(Boolean);
          return (
            <text x={percent(at)} y={HEIGHT - 8} class={classes.join(" ") || undefined}>
              {language.tick(tick)}
            </text>
          );
        })}
      </svg>
    </div>
  );
}

function Line({ y }: { y: number }) {
  const at = Math.round(y) + 0.5;
  return <line x2="100%" y1={at} y2={at} />;
}

function Paths({ points, x, y }: {
  points: Graph["points"];
  x(time: number): number;
  y(milliseconds: number): number;
}) {
  const { band, line, dots } = responseTimePaths(points, { x, y, half: 2 });
  // Of each piece of time the slowest check, which its p95 may hide.
  const peaks = points.flatMap(({ time, p95, max }) =>
    max === undefined || y(p95!) - y(max) < FINE ? [] : [`M${x(time)} ${y(p95!)}V${y(max)}`]
  ).join("");
  return (
    <>
      {band !== "" && <path class="band" d={band} />}
      {line !== "" && <path class="line" d={line} />}
      {dots !== "" && <path class="dots" d={dots} />}
      {peaks !== "" && <path class="peaks" d={peaks} />}
    </>
  );
}

function summaryOf(
  { window: name, statistics: { window, responseTimes } }: Graph,
  language: Language,
): string {
  const WINDOW = language.say(WINDOW_WORDS[name]);
  if (responseTimes === undefined) return language.say("graphEmpty", { WINDOW });
  const [FROM, TO] = [window.from, window.to].map((at) =>
    language.moment(Temporal.Instant.fromEpochMilliseconds(Math.round(at)))
  ) as [string, string];
  const MEDIAN = language.milliseconds(responseTimes.p50);
  const LATE = language.milliseconds(responseTimes.p95);
  return language.say("graphSummary", { WINDOW, MEDIAN, LATE, FROM, TO });
}

/** Labels that stand beside each other on a wide screen, and on a narrow one. */
const WIDE = 13;
const NARROW = 5;

/** A tick of a chart that is as wide as its page. */
interface ChartTick extends TimeTick {
  /** Whether it has room on a wide screen only. */
  isWide: boolean;
}

/** Share of a chart's width at each edge in which a label is aligned with its tick instead of centred on it. */
export const EDGE = 0.06;

/** Ticks of windows in a zone: a page of every site has the same. */
export type ChartTicks = (window: Window) => readonly ChartTick[];

/** Remembers the ticks of windows. */
export function rememberedTicks(zone: string): ChartTicks {
  const known = new Map<string, readonly ChartTick[]>();
  return (window) => {
    const key = `${window.from} ${window.to}`;
    const ticks = known.get(key) ?? chartTicks(window, zone);
    known.set(key, ticks);
    return ticks;
  };
}

/** The ticks of a window. */
export function chartTicks(window: Window, zone: string): ChartTick[] {
  const length = window.to - window.from;
  for (const step of TICK_STEPS) {
    if (length / step.length > WIDE + 1) continue;
    const all = step.ticks(window, zone);
    if (all.length > WIDE) continue;
    const ticks = all.filter((tick, index) =>
      !isCrowded(tick, [all[index - 1], all[index + 1]], window)
    );
    const every = Math.ceil(ticks.length / NARROW);
    return ticks.map((tick, index) => ({ ...tick, isWide: index % every !== 0 }));
  }
  return [];
}

/** True if the label of a tick at the edge, which is not centred on it, would touch the one beside it. */
function isCrowded(
  { time }: TimeTick,
  neighbours: readonly (TimeTick | undefined)[],
  { from, to }: Window,
): boolean {
  const share = (moment: number) => (moment - from) / (to - from);
  const isAtEdge = share(time) < EDGE || share(time) > 1 - EDGE;
  return isAtEdge &&
    neighbours.some((other) =>
      other !== undefined && Math.abs(share(other.time) - share(time)) < 2 * EDGE
    );
}

/** What each state is hatched with, on 8 x 8: no two are alike without their colours. */
const HATCHES: Readonly<Record<DrawnState, string>> = {
  down: "M-2 2l4-4M0 8l8-8M6 10l4-4M-2 6l8-8M2 10l8-8",
  degraded: "M2 0v8M6 0v8",
  maintenance: "M-2 6l4 4M0 0l8 8M6-2l4 4",
  unknown: "M2 2h1M6 6h1",
};

/** The patterns that {@linkcode Chart} refers to: stand once on a page. */
const PATTERNS: Element = written(
  <svg class="away" aria-hidden="true">
    {Object.entries(HATCHES).map(([state, path]) => (
      <pattern id={`p-${state}`} width="8" height="8" patternUnits="userSpaceOnUse">
        <rect width="8" height="8" fill={`var(--${state}-soft)`} />
        <path d={path} stroke={`var(--${state})`} opacity=".55" />
      </pattern>
    ))}
  </svg>,
);

/** About as many rows has a table at most. */
const MOST_ROWS = 31;

/** All that a graph shows, in words. */
function GraphTable({ graph, language }: { graph: Graph; language: Language }) {
  const { length, rows } = graphRows(graph, MOST_ROWS);
  if (rows.length === 0) return null;
  const from = length < DAY ? language.brief : language.fullDay;
  return (
    <details>
      <summary>{language.say("graphTable")}</summary>
      <table>
        <thead>
          <tr>
            <th scope="col">{language.say("graphFrom")}</th>
            <th scope="col">{language.say("median")}</th>
            <th scope="col">{language.say("p95")}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr>
              <th scope="row">
                {from(row.from)}
                <States row={row} language={language} />
              </th>
              <td>{row.median && range(row.median, language)}</td>
              <td>{row.p95 !== undefined && language.milliseconds(row.p95)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  );
}

/** Which states there were beside up, and how long. */
function States({ row: { states }, language }: { row: GraphRow; language: Language }) {
  if (states.length === 0) return null;
  const words = states.map(([state, seconds]) =>
    language.say("stateFor", {
      STATE: language.say(state),
      TIME: language.duration(seconds),
    })
  );
  return (
    <>
      {" "}
      <span class="muted">{words.join(", ")}</span>
    </>
  );
}

function range([low, high]: readonly [number, number], language: Language): string {
  const [LOW, HIGH] = [language.number(Math.round(low)), language.number(Math.round(high))];
  return LOW === HIGH
    ? language.milliseconds(low)
    : language.say("rangeTo", { LOW, HIGH: language.milliseconds(high) });
}
