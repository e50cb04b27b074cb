import { type Window, WINDOW_NAMES } from "../../lib/history/windows.ts";
import { computeGraph, type Graph } from "../../lib/statistics/graph.ts";
import type { SiteReport } from "../../lib/statistics/report/report.ts";
import { type GraphRow, toGraphRows } from "../../lib/page/graph_rows.ts";
import { DAY } from "../../lib/time.ts";
import {
  computeTimeTicks,
  computeValueAxis,
  DRAWN_STATES,
  type DrawnState,
  type TimeTick,
  toPaths,
  toPlottedWindow,
  toStretches,
} from "../graph/plot.ts";
import { type Content, type Element, renderOnce } from "./html.ts";
import type { Language } from "./language.ts";
import { WINDOW_WORDS, WindowChoice } from "./parts.tsx";
import type { View } from "./view.ts";
import { LineName, LocationTable } from "./locations.tsx";

/** More points make a page heavier and a line no clearer. */
const MOST_POINTS = 100;

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
      <LocationTable view={view} report={report} />
      {PATTERNS}
      {WINDOW_NAMES.map((name) => {
        const graph = computeGraph(report, name, { timezone, points: MOST_POINTS });
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

/** Hatches of 8 x 8: states differ without their colors. */
const HATCHES: Readonly<Record<DrawnState, string>> = {
  down: "M-2 2l4-4M0 8l8-8M6 10l4-4M-2 6l8-8M2 10l8-8",
  degraded: "M2 0v8M6 0v8",
  maintenance: "M-2 6l4 4M0 0l8 8M6-2l4 4",
  unknown: "M2 2h1M6 6h1",
};

const PATTERNS: Element = renderOnce(
  <svg class="away" aria-hidden="true">
    {Object.entries(HATCHES).map(([state, path]) => (
      <pattern id={`p-${state}`} width="8" height="8" patternUnits="userSpaceOnUse">
        <rect width="8" height="8" fill={`var(--${state}-soft)`} />
        <path d={path} stroke={`var(--${state})`} opacity=".55" />
      </pattern>
    ))}
  </svg>,
);

/** Samples of the line, the colors and the hatches that the graph uses. */
function Key({ graph, language }: { graph: Graph; language: Language }) {
  const { intervals, locations } = graph;
  const points = locations?.earlier ?? graph.points;
  const rest = locations?.others ?? 0;
  const line = (name: string, path: string) => (
    <svg class="chart" aria-hidden="true">
      <path class={name} d={path} />
    </svg>
  );
  const entries: [isShown: boolean, sample: Content, word: Content][] = [
    ...locations?.lines.map(({ name }, index): [boolean, Content, Content] => [
      true,
      line(`l l${index}`, "M0 6h16"),
      <LineName name={name} />,
    ]) ?? [],
    [rest > 0, "", language.say("andMore", { COUNT: language.number(rest) })],
    [points.length > 0, line("line", "M0 6h16"), language.say("median")],
    [
      points.some(({ p95 }) => p95 !== undefined),
      line("band", "M0 0h16v12H0z"),
      language.say("p95"),
    ],
    [
      points.some(({ max }) => max !== undefined),
      line("peaks", "M4 12V2M12 12V6"),
      language.say("slowest"),
    ],
    ...DRAWN_STATES.toReversed().map((one): [boolean, Content, string] => [
      intervals.some(({ state }) => state === one),
      <svg aria-hidden="true">
        <rect width="16" height="12" fill={`url(#p-${one})`} />
      </svg>,
      language.say(one),
    ]),
  ];
  return (
    <ul class="key">
      {entries.filter(([isShown]) => isShown).map(([, sample, word]) => <li>{sample}{word}</li>)}
    </ul>
  );
}

/** Vertical extent of the values, and the height of the chart, in pixels. */
const PLOT = { top: 24, bottom: 220 };
const HEIGHT = 248;
/** Units from left to right, and per pixel of height: whole numbers keep paths short. */
const WIDTH = 500;
const FINE = 2;
const COLUMNS = 250;

/** A graph as wide as the page; its line stretches, its words don't. */
function Chart(
  { graph, language, ticks }: { graph: Graph; language: Language; ticks: ChartTicks },
) {
  const { intervals, locations } = graph;
  const points = locations?.earlier ?? graph.points;
  const window = toPlottedWindow(graph.statistics.window);
  const share = (time: number) => (time - window.from) / (window.to - window.from);
  const percent = (part: number) => `${Math.round(part * 1000) / 10}%`;
  const stretches = toStretches(intervals, {
    ...{ window, left: 0, right: COLUMNS, narrowest: 1, x: (at) => share(at) * COLUMNS },
  });
  const axis = computeValueAxis(
    [
      ...points.map((one) => ({ ...one, p95: one.max ?? one.p95 })),
      ...locations?.lines.flatMap(({ points }) => points) ?? [],
    ],
    PLOT,
  );
  const x = (time: number) => Math.round(share(time) * WIDTH);
  return (
    <div class="plot">
      <svg class="chart axis" aria-hidden="true" height={HEIGHT}>
        {axis?.ticks.slice(1).map((tick) => (
          <text x="100%" y={axis.y(tick) + 4} class="end">{language.milliseconds(tick)}</text>
        ))}
      </svg>
      <svg class="chart" role="img" aria-label={summarize(graph, language)} height={HEIGHT}>
        {stretches.map(({ left, right, state }) => (
          <rect
            x={percent(left / COLUMNS)}
            width={percent((right - left) / COLUMNS)}
            y={PLOT.top}
            height={PLOT.bottom - PLOT.top}
            fill={`url(#p-${state})`}
          />
        ))}
        {axis?.ticks.slice(1).map((tick) => <Line y={axis.y(tick)} />)}
        <Line y={PLOT.bottom} />
        {axis === undefined
          ? <text x="50%" y="128" class="mid">{language.say("noTimes")}</text>
          : (
            <svg
              viewBox={`0 0 ${WIDTH} ${FINE * HEIGHT}`}
              preserveAspectRatio="none"
              width="100%"
              height={HEIGHT}
            >
              <Lines graph={graph} x={x} y={(value) => Math.round(axis.y(value) * FINE)} />
            </svg>
          )}
        {ticks(window).map((tick) => {
          const at = share(tick.time);
          const side = at < EDGE ? "" : at > 1 - EDGE ? "end" : "mid";
          const classes = [side, tick.isMajor && "great", tick.isWide && "wide"].filter(Boolean);
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

/** Functions from time and value to units of the chart. */
interface Scales {
  x(time: number): number;
  y(milliseconds: number): number;
}

function Lines({ graph: { points, locations }, x, y }: Scales & { graph: Graph }) {
  if (locations === undefined) return <Paths points={points} x={x} y={y} />;
  const lines = locations.lines.map(({ points }) => toPaths(points, { x, y, half: 0 }));
  return [
    <Paths points={locations.earlier} x={x} y={y} />,
    lines.map(({ line, dots }, index) => [
      line !== "" && <path class={`l l${index}`} d={line} />,
      dots !== "" && <path class={`l${index} dots`} d={dots} />,
    ]),
  ];
}

function Paths({ points, x, y }: Scales & { points: Graph["points"] }) {
  const { band, line, dots } = toPaths(points, { x, y, half: 2 });
  // The slowest check of each point, which p95 may hide.
  const peaks = points.flatMap(({ time, p95, max }) =>
    max === undefined || y(p95!) - y(max) < FINE ? [] : [`M${x(time)} ${y(p95!)}V${y(max)}`]
  ).join("");
  return Object.entries({ band, line, dots, peaks }).map(([name, path]) =>
    path !== "" && <path class={name} d={path} />
  );
}

function summarize(
  { window: name, statistics: { window, responseTimes }, locations }: Graph,
  language: Language,
): string {
  const WINDOW = language.say(WINDOW_WORDS[name]);
  if (responseTimes === undefined) return language.say("graphEmpty", { WINDOW });
  const moment = (at: number) =>
    language.moment(Temporal.Instant.fromEpochMilliseconds(Math.round(at)));
  return language.say("graphSummary", {
    WINDOW,
    MEDIAN: language.milliseconds(responseTimes.p50),
    LATE: language.milliseconds(responseTimes.p95),
    FROM: moment(window.from),
    TO: moment(window.to),
  }) + summarizeLines(locations, language);
}

function summarizeLines(locations: Graph["locations"], language: Language): string {
  if (locations === undefined) return "";
  const { lines, others } = locations;
  const names = lines.map(({ name }) => name);
  if (others > 0) names.push(language.say("andMore", { COUNT: language.number(others) }));
  return ` ${language.say("graphLocations", { LIST: names.join(", ") })}`;
}

/** Most labels on a wide screen, and about as many as fit on a narrow one. */
const WIDE = 13;
const NARROW = 5;
/** Share of the width at each edge in which a label is aligned with its tick instead of centred. */
export const EDGE = 0.06;

interface ChartTick extends TimeTick {
  /** True if the label is shown on wide screens only. */
  isWide: boolean;
}

export type ChartTicks = (window: Window) => readonly ChartTick[];

/** Caches ticks by window: the pages of all sites have the same. */
export function cacheTicks(zone: string): ChartTicks {
  const known = new Map<string, readonly ChartTick[]>();
  return (window) =>
    known.getOrInsertComputed(
      `${window.from} ${window.to}`,
      () => computeChartTicks(window, zone),
    );
}

/** Computes the ticks of a window, without those at an edge whose label would touch its neighbour. */
export function computeChartTicks(window: Window, zone: string): ChartTick[] {
  const share = ({ time }: TimeTick) => (time - window.from) / (window.to - window.from);
  const all = computeTimeTicks(window, zone, ({ length }) => length <= WIDE);
  const ticks = all.filter((tick, index) => {
    const isAtEdge = Math.abs(share(tick) - 0.5) > 0.5 - EDGE;
    return !isAtEdge ||
      [all[index - 1], all[index + 1]].every((other) =>
        other === undefined || Math.abs(share(other) - share(tick)) >= 2 * EDGE
      );
  });
  const every = Math.ceil(ticks.length / NARROW);
  return ticks.map((tick, index) => ({ ...tick, isWide: index % every !== 0 }));
}

const MOST_ROWS = 31;

function GraphTable({ graph, language }: { graph: Graph; language: Language }) {
  const { length, rows } = toGraphRows(graph, MOST_ROWS);
  if (rows.length === 0) return null;
  const from = length < DAY ? language.brief : language.fullDay;
  const table = (
    <table>
      <thead>
        <tr>
          {(["graphFrom", "median", "p95"] as const).map((key) => (
            <th scope="col">{language.say(key)}</th>
          ))}
          {graph.locations?.lines.map(({ name }) => (
            <th scope="col">
              <LineName name={name} />
            </th>
          ))}
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
            {row.lines?.map((median) => <td>{median && range(median, language)}</td>)}
          </tr>
        ))}
      </tbody>
    </table>
  );
  return (
    <details>
      <summary>{language.say("graphTable")}</summary>
      {graph.locations === undefined
        ? table
        : (
          <div class="scroll" role="group" tabindex={0} aria-label={language.say("graphTable")}>
            {table}
          </div>
        )}
    </details>
  );
}

function States({ row: { states }, language }: { row: GraphRow; language: Language }) {
  if (states.length === 0) return null;
  const words = states.map(([state, seconds]) =>
    language.say("stateFor", { STATE: language.say(state), TIME: language.duration(seconds) })
  );
  return [" ", <span class="muted">{words.join(", ")}</span>];
}

function range([low, high]: readonly [number, number], language: Language): string {
  const [LOW, HIGH] = [language.number(Math.round(low)), language.number(Math.round(high))];
  return LOW === HIGH
    ? language.milliseconds(low)
    : language.say("rangeTo", { LOW, HIGH: language.milliseconds(high) });
}
