import { incidentPagePath } from "../../lib/config/page_path.ts";
import { WINDOW_NAMES } from "../../lib/history/windows.ts";
import { computeGraph, type WindowGraph } from "../../lib/statistics/graph.ts";
import type { SiteReport } from "../../lib/statistics/report/report.ts";
import { type GraphRow, toGraphRows } from "../../lib/page/graph_rows.ts";
import { isBeyondMonitoring } from "../../lib/page/monitored.ts";
import { findLongestOutage, type Outage } from "../../lib/page/outages.ts";
import { DAY } from "../../lib/time.ts";
import {
  computePlot,
  DRAWN_STATES,
  type DrawnState,
  HATCHES,
  type Plot,
  type Shape as Drawn,
} from "../graph/plot.ts";
import { type ChartTicks, EDGE, findValuesWidth } from "./chart_ticks.ts";
import type { Content } from "./html.ts";
import type { Language } from "./language.ts";
import { WINDOW_WORDS } from "./parts.tsx";
import type { PageView } from "./view.ts";
import { LineName } from "./locations.tsx";

/** More points make a page heavier and a line no clearer. */
const MOST_POINTS = 92;

/**
 * Charts of all windows, each with its table, of which the script reads the values at a point. A window that starts
 * before monitoring did is drawn from there on.
 */
export function Charts({ view, report, outages, ticks }: {
  view: PageView;
  report: SiteReport;
  outages: readonly Outage[];
  ticks: ChartTicks;
}) {
  const { language, settings: { timezone } } = view;
  return [
    PATTERNS,
    WINDOW_NAMES.map((name) => {
      const { first, now } = report.samples;
      const isYoung = first !== undefined && isBeyondMonitoring(name, { first, now });
      const options = { timezone, points: MOST_POINTS };
      const graph = computeGraph(report, isYoung ? "all" : name, options);
      return (
        <figure class={`w w-${name} card`}>
          <ChartWithTable
            {...{ view, graph, outages, ticks }}
            title={language.say(WINDOW_WORDS[name])}
          />
        </figure>
      );
    }),
  ];
}

/** A graph of a time with a title. */
interface ChartProps {
  view: PageView;
  graph: WindowGraph;
  title: string;
  outages: readonly Outage[];
  ticks: ChartTicks;
}

export function ChartWithTable(props: ChartProps) {
  const { view, graph, outages } = props;
  const plot = computePlot(graph, FRAME);
  const rows = toGraphRows(graph);
  return (
    <>
      <Chart {...props} plot={plot} rows={rows} />
      <Key graph={graph} plot={plot} language={view.language} />
      <GraphTable {...{ view, graph, rows, outages }} />
    </>
  );
}

export const PATTERNS = (
  <svg class="away" aria-hidden="true">
    {Object.entries(HATCHES).map(([state, path]) => (
      <pattern id={`p-${state}`} class={state} width="8" height="8" patternUnits="userSpaceOnUse">
        <path d={path} />
      </pattern>
    ))}
  </svg>
);

/** Height of the plot, and of the line of times below it, in pixels. */
const HEIGHT = 220;
const TIMES = 24;
/** Units from left to right: a plot stretches with the page. */
const WIDTH = 500;
/** Half pixels from top to bottom, in whole numbers. */
const UNIT = 2;
const FRAME = { width: WIDTH, height: UNIT * HEIGHT, unit: UNIT, round: Math.round };

const STRETCHED = {
  viewBox: `0 0 ${WIDTH} ${UNIT * HEIGHT}`,
  preserveAspectRatio: "none",
  height: HEIGHT,
  fill: "none",
} as const;

/** A graph as wide as the page: its lines stretch, its words don't. Outages lead to their incidents. */
function Chart({ view, graph, title, plot, rows, outages, ticks }: ChartProps & {
  plot: Plot;
  rows: readonly GraphRow[];
}) {
  const { language, link, settings: { direction } } = view;
  const { window, shapes, stretches, values } = plot;
  const isMirrored = direction === "rtl";
  const time = (x: number) => window.from + x / WIDTH * (window.to - window.from);
  const links = stretches.flatMap(({ left, right, state }) => {
    const outage = state === "down"
      ? findLongestOutage(outages, { from: time(left), to: time(right) })
      : undefined;
    return outage === undefined || !view.incidents.has(outage.id) ? [] : [
      (
        <a href={link(incidentPagePath(outage.id))} tabindex={-1}>
          <path d={`M${left} 0H${right}V${UNIT * HEIGHT}H${left}Z`} />
        </a>
      ),
    ];
  });
  const labels = values?.map(({ value, y }) => (
    { y: y / UNIT + 4, text: value === 0 ? "0" : language.milliseconds(value) }
  ));
  return (
    <div class="plot">
      <svg
        class="values"
        aria-hidden="true"
        width={findValuesWidth(labels?.map(({ text }) => text) ?? [])}
        height={HEIGHT + TIMES}
      >
        {labels?.map(({ text, y }) => <text x={isMirrored ? "0" : "100%"} y={y}>{text}</text>)}
      </svg>
      <div class="area">
        <div
          class="reader"
          role="img"
          aria-label={summarize(graph, title, language)}
          data-at={formatPlaces(rows, plot) || undefined}
        >
          <svg class="chart" {...STRETCHED}>
            {shapes.map(({ part, path }) => <Path part={part} path={path} />)}
          </svg>
        </div>
        {links.length > 0 && (
          <svg class="chart outages" aria-hidden="true" {...STRETCHED}>{links}</svg>
        )}
        {values === undefined && <p class="none muted">{language.say("noTimes")}</p>}
        <svg class="times" aria-hidden="true" height={TIMES}>
          {ticks(window).map((tick) => {
            const share = (tick.time - window.from) / (window.to - window.from);
            const at = isMirrored ? 1 - share : share;
            const side = at < EDGE ? "" : at > 1 - EDGE ? "end" : "mid";
            const classes = [side, tick.isMajor && "great", tick.isWide && "rare"].filter(Boolean);
            return (
              <text x={percent(at)} y="17" class={classes.join(" ") || undefined}>
                {language.isolate(language.tick(tick))}
              </text>
            );
          })}
        </svg>
      </div>
    </div>
  );
}

function percent(part: number): string {
  return `${Math.round(part * 1000) / 10}%`;
}

/**
 * Places of the rows, which the script marks: of medians, in the commands of the line's path, so that both are
 * compressed as one text; `M` and the middle of a row without response times.
 */
function formatPlaces(rows: readonly GraphRow[], { window, x, y }: Plot): string {
  let last: readonly [x: number, y: number] | undefined;
  let text = "";
  for (const { from, to, point } of rows) {
    if (point === undefined || y === undefined) {
      last = undefined;
      text += `M${x((Math.max(from, window.from) + to) / 2)}`;
      continue;
    }
    const [right, bottom] = [x(point.time), y(point.median)];
    if (last === undefined || !point.isJoined) text += `M${right} ${bottom}`;
    else text += `${/M[^l]*$/.test(text) ? "l" : " "}${right - last[0]},${bottom - last[1]}`;
    last = [right, bottom];
  }
  return text;
}

/** A path in the color of its part, or with the hatch of its state; lines of locations have dashes. */
function Path({ part, path }: Drawn) {
  const isHatched = Object.hasOwn(HATCHES, part);
  return (
    <path
      class={/^l\d$/.test(part) ? `l ${part}` : part}
      d={path}
      fill={isHatched ? `url(#p-${part})` : undefined}
    />
  );
}

/** Names the lines, the colors and the hatches that a plot uses, and the zone of its times of day. */
function Key({ graph, plot, language }: { graph: WindowGraph; plot: Plot; language: Language }) {
  const { locations } = graph;
  const rest = locations?.others ?? 0;
  const parts = new Set<Drawn["part"]>(
    plot.shapes.map(({ part }) => part === "dots" ? "line" : part),
  );
  const sample = (part: Drawn["part"], path: string) => (
    <svg class="chart" aria-hidden="true" fill="none">
      <Path part={part} path={path} />
    </svg>
  );
  const area = "M0 0h16v12H0z";
  const words: readonly [part: Drawn["part"], path: string, word: string][] = [
    ["line", "M0 6h16", language.say("median")],
    ["band", area, language.say("mostChecks")],
    ["peaks", "M4 12V2M12 12V6", language.say("slowest")],
    ["clipped", "M8 2l4 7h-8z", language.say("aboveScale")],
    ...DRAWN_STATES.toReversed().map((state): [DrawnState, string, string] => [
      state,
      area,
      language.say(state),
    ]),
  ];
  return (
    <ul class="key">
      {locations?.lines.map(({ name }, index) => (
        <li>
          {sample(`l${index}`, "M0 6h16")}
          <LineName name={name} />
        </li>
      ))}
      {rest > 0 && <li>{language.say("andMore", { COUNT: rest })}</li>}
      {words.filter(([part]) => parts.has(part)).map(([part, path, word]) => (
        <li>{sample(part, path)}{word}</li>
      ))}
      {graph.bucket < DAY && <li>{language.say("timesInZone", { ZONE: graph.timezone })}</li>}
    </ul>
  );
}

function summarize(
  { statistics: { window, responseTimes }, locations }: WindowGraph,
  WINDOW: string,
  language: Language,
): string {
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

function summarizeLines(locations: WindowGraph["locations"], language: Language): string {
  if (locations === undefined) return "";
  const { lines, others } = locations;
  const names = lines.map(({ name }) => name);
  if (others > 0) names.push(language.say("andMore", { COUNT: others }));
  return language.gap +
    language.say("graphLocations", { LIST: language.clauses(names).join("") });
}

/** The values of all points: the only place where the page has them, so that a reading can't differ. */
function GraphTable({ view, graph, rows, outages }: {
  view: PageView;
  graph: WindowGraph;
  rows: readonly GraphRow[];
  outages: readonly Outage[];
}) {
  const { language } = view;
  if (rows.length === 0) return null;
  const formatStart = graph.bucket < DAY ? language.brief : language.fullDay;
  const time = (value?: number) => <td>{value !== undefined && language.milliseconds(value)}</td>;
  return (
    <details>
      <summary>{language.say("graphTable")}</summary>
      <div class="scroll" role="group" tabindex={0} aria-label={language.say("graphTable")}>
        <table>
          <thead>
            <tr>
              {(["graphFrom", "median", "p95", "slowest", "checks"] as const).map((key) => (
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
            {rows.map((row) => {
              const { point, lines } = row;
              return (
                <tr>
                  <th scope="row">
                    {formatStart(row.from)}
                    <States row={row} view={view} outages={outages} />
                  </th>
                  {time(point?.median)}
                  {time(point?.p95)}
                  {time(point?.max)}
                  <td>{point && language.number(point.checks)}</td>
                  {graph.locations?.lines.map((_, index) => time(lines?.[index]))}
                </tr>
              );
            })}
          </tbody>
        </table>
      </div>
    </details>
  );
}

/** How long a row was in which states; an outage leads to its incident. */
function States({ row, view, outages }: {
  row: GraphRow;
  view: PageView;
  outages: readonly Outage[];
}) {
  const { language, link } = view;
  if (row.states.length === 0) return null;
  const outage = findLongestOutage(outages, row);
  const words = row.states.map(([state, seconds]): Content => {
    const VALUE = language.duration(seconds);
    const word = language.say("labeled", { NAME: language.say(state), VALUE });
    const isLink = state === "down" && outage !== undefined && view.incidents.has(outage.id);
    return isLink ? <a href={link(incidentPagePath(outage.id))}>{word}</a> : word;
  });
  return [" ", <span class="muted">{language.clauses(words)}</span>];
}
