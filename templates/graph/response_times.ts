import type { Graph } from "../../lib/statistics/graph.ts";
import { responseTimePaths } from "./response_time_paths.ts";
import { round } from "./round.ts";
import type { Theme } from "./themes.ts";
import type { TimeAxis } from "./time_axis.ts";
import type { ValueAxis } from "./value_scale.ts";

/** Median and p95 in the colours of a theme. */
export function drawResponseTimes(
  { points }: Pick<Graph, "points">,
  { time, value }: { time: TimeAxis; value: ValueAxis },
  theme: Theme,
): string {
  const x = (moment: number) => round(time.x(moment));
  const { band, line, dots } = responseTimePaths(points, { x, y: value.y, half: 1.5 });
  const { fill, opacity } = theme.band;
  return [
    band && `<path d="${band}" fill="${fill}" fill-opacity="${opacity}"/>`,
    line &&
    `<path d="${line}" fill="none" stroke="${theme.line}" stroke-width="1.75" stroke-linejoin="round" stroke-linecap="round"/>`,
    dots &&
    `<path d="${dots}" fill="none" stroke="${theme.line}" stroke-width="6" stroke-linecap="round"/>`,
  ].join("");
}
