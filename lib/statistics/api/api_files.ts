import {
  badgePath,
  endpointPath,
  isBlocked,
  METRICS_PATH,
  statisticsPath,
} from "../../history/api_path.ts";
import { FILE_WINDOW_NAMES } from "../../history/windows.ts";
import { formatEndpoint, type Rendering, responseTimeBadge, uptimeBadge } from "./badge.ts";
import { formatMetrics } from "./metrics.ts";
import { sharedBadges, siteStatusBadges } from "./status_badges.ts";
import { formatStatistics } from "./statistics_file.ts";
import { displayState, type Report, type SiteReport } from "../report/report.ts";

/** Renders all files for other programs, site by site: texts with their paths. */
export function* apiFiles(
  report: Report,
  rendering: Rendering,
): Generator<[path: string, text: string]> {
  for (const site of report.sites) yield* renderSiteFiles(site, rendering);
  for (const [path, badge] of sharedBadges(report)) yield [path, rendering.draw(badge)];
  if (!isBlocked(METRICS_PATH, new Set(report.sites.map(({ site }) => site.slug)))) {
    yield [METRICS_PATH, formatMetrics(report)];
  }
}

function renderSiteFiles(
  report: SiteReport,
  { draw }: Rendering,
): [path: string, text: string][] {
  const { site, site: { slug }, statistics } = report;
  const statuses = siteStatusBadges(site, displayState(report));
  const ofWindows = FILE_WINDOW_NAMES.flatMap((name): [string, string][] => {
    const [uptime, time] = [
      uptimeBadge(name, statistics[name]),
      responseTimeBadge(name, statistics[name]),
    ];
    return [
      [endpointPath(slug, "uptime", name), formatEndpoint(uptime)],
      [endpointPath(slug, "response-time", name), formatEndpoint(time)],
      [badgePath(slug, "uptime", name), draw(uptime)],
      [badgePath(slug, "response-time", name), draw(time)],
    ];
  });
  return [
    ...ofWindows,
    [statisticsPath(slug), formatStatistics(report)],
    ...statuses.map(([path, badge]): [string, string] => [path, draw(badge)]),
  ];
}
