import type { Layout } from "../../config/layout.ts";
import {
  API_FOLDER,
  badgePath,
  endpointPath,
  METRICS_PATH,
  METRICS_TARGETS_PATH,
  metricsPart,
  metricsPartPath,
  statisticsPath,
} from "../../history/api_path.ts";
import { FILE_WINDOW_NAMES } from "../../history/windows.ts";
import {
  formatEndpoint,
  type Rendering,
  responseTimeBadge,
  statusBadge,
  uptimeBadge,
} from "./badge.ts";
import { formatMetrics } from "./metrics.ts";
import { formatStatistics } from "./statistics_file.ts";
import { displayState, type Report, type SiteReport } from "../report/report.ts";

/** Renders all files for other programs, site by site: texts with their paths. */
export function* apiFiles(
  report: Report,
  { layout = "flat", ...rendering }: Rendering & { layout?: Layout },
): Generator<[path: string, text: string]> {
  for (const site of report.sites) yield* renderSiteFiles(site, layout, rendering);
  if (layout === "nested") yield* metricsParts(report);
  // A site may have the slug `metrics.txt`.
  else if (report.sites.every(({ site }) => `${API_FOLDER}/${site.slug}` !== METRICS_PATH)) {
    yield [METRICS_PATH, formatMetrics(report)];
  }
}

/** The metrics by the hash of the slugs, so that a site stays in its part, and the names of all parts. */
function* metricsParts({ sites }: Pick<Report, "sites">): Generator<[path: string, text: string]> {
  const parts = Map.groupBy(sites, ({ site }) => metricsPart(site.slug));
  for (const [part, own] of parts) yield [metricsPartPath(part), formatMetrics({ sites: own })];
  const targets = [...parts.keys()].sort();
  yield [METRICS_TARGETS_PATH, `${JSON.stringify([{ targets }])}\n`];
}

function renderSiteFiles(
  report: SiteReport,
  layout: Layout,
  { draw }: Rendering,
): [path: string, text: string][] {
  const { site: { slug }, statistics } = report;
  const ofWindows = FILE_WINDOW_NAMES.flatMap((name): [string, string][] => {
    const [uptime, time] = [
      uptimeBadge(name, statistics[name]),
      responseTimeBadge(name, statistics[name]),
    ];
    return [
      [endpointPath(slug, "uptime", name, layout), formatEndpoint(uptime)],
      [endpointPath(slug, "response-time", name, layout), formatEndpoint(time)],
      [badgePath(slug, "uptime", name, layout), draw(uptime)],
      [badgePath(slug, "response-time", name, layout), draw(time)],
    ];
  });
  return [
    ...ofWindows,
    [statisticsPath(slug, layout), formatStatistics(report)],
    [badgePath(slug, "status", "all", layout), draw(statusBadge(displayState(report)))],
  ];
}
