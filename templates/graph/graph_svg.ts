import type { GraphTheme } from "../../lib/statistics/graphs/graph_files.ts";
import type { Graph } from "../../lib/statistics/graph.ts";
import { drawAbsence } from "./absence.ts";
import { drawCaption } from "./caption.ts";
import { FAMILY } from "./fonts.ts";
import { HEIGHT, PLOT, WIDTH } from "./frame.ts";
import { drawHeading } from "./heading.ts";
import { drawResponseTimes } from "./response_times.ts";
import { drawStates } from "./state_spans.ts";
import { THEMES } from "./themes.ts";
import { drawGreaterTicks, drawTimeAxis, timeAxis } from "./time_axis.ts";
import { drawValueAxis } from "./value_axis.ts";
import { valueScale } from "./value_scale.ts";

/** A graph of response times as SVG, 600 x 400 pixels. The same graph gives the same text. */
export function graphSvg(graph: Graph, theme: GraphTheme): string {
  const colours = THEMES[theme];
  const time = timeAxis(graph);
  const value = valueScale(graph.points, PLOT);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}"` +
    ` viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="${FAMILY}, system-ui, sans-serif">`,
    `<rect width="${WIDTH}" height="${HEIGHT}" fill="${colours.background}"/>`,
    drawGreaterTicks(time, colours),
    drawValueAxis(value, colours),
    drawStates(graph, time, colours),
    value === undefined
      ? drawAbsence(graph, colours)
      : drawResponseTimes(graph, { time, value }, colours),
    drawTimeAxis(time, colours),
    drawHeading(graph, colours),
    drawCaption(graph, colours),
    "</svg>\n",
  ].filter((part) => part !== "").join("\n");
}
