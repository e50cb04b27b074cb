import type { Config } from "../config/config.ts";
import type { Graph, GraphPoint } from "./graph.ts";
import { type Point, pointsOf } from "./graph_points.ts";
import type { SiteReport } from "./report/report.ts";
import type { Span } from "./span.ts";
import { spansIn } from "./spans_in.ts";
import type { Window, WindowName } from "../history/windows.ts";

/** More pieces than this can't be told apart. */
const MOST_PIECES = 200;

/** How a graph is made. */
export interface GraphOptions extends Pick<Config, "timezone"> {
  /** About how many points it has at most. */
  points?: number;
}

/** What is shorter than this share of a graph is too narrow to be seen. */
const NARROW = 1 / 500;

/** What the graph of a site in a window shows. */
export function graphOf(
  { site, evidence, statistics }: Pick<SiteReport, "site" | "evidence" | "statistics">,
  name: WindowName,
  { timezone, points = MOST_PIECES }: GraphOptions,
): Graph {
  const { window } = statistics[name];
  const spans = spansIn(evidence, window);
  return {
    name: site.name,
    window: name,
    timezone,
    points: joined(pointsOf(evidence, window, points), spans, window),
    spans: spans.filter(({ state }) => state !== "up"),
    statistics: statistics[name],
  };
}

/** Joins points between which a line hides nothing. */
function joined(
  points: readonly Point[],
  spans: readonly Span[],
  { from, to }: Window,
): GraphPoint[] {
  const narrow = (to - from) * NARROW;
  const walls = spans.filter((span) =>
    span.state !== "up" && span.state !== "degraded" && span.to - span.from >= narrow
  );
  let next = 0;
  return points.map((point, index) => {
    const before = points[index - 1]?.time;
    if (before === undefined) return { ...point, isJoined: false };
    while (next < walls.length && walls[next]!.to <= before + narrow) next++;
    const wall = walls[next];
    return { ...point, isJoined: wall === undefined || wall.from >= point.time };
  });
}
