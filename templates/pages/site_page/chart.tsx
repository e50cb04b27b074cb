import type { Graph } from "../../../lib/statistics/graph.ts";
import { HOUR } from "../../../lib/time.ts";
import { responseTimePaths } from "../../graph/response_time_paths.ts";
import { stretchesOf } from "../../graph/stretches.ts";
import { valueScale } from "../../graph/value_scale.ts";
import { WINDOW_WORDS } from "../parts/windows.tsx";
import type { Language } from "../language.ts";
import { type ChartTicks, EDGE } from "./chart_ticks.ts";

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
export function Chart(
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
