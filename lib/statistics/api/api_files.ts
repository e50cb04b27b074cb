import { badgePath, endpointPath, METRICS_PATH, statisticsPath } from "../../history/api_path.ts";
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

/** Renders all files for other programs: texts by path. */
export function apiFiles(report: Report, rendering: Rendering): Map<string, string> {
  const files = new Map(report.sites.flatMap((site) => renderSiteFiles(site, rendering)));
  // A site may have the slug `metrics.txt`.
  const isTaken = [...files.keys()].some((path) => path.startsWith(`${METRICS_PATH}/`));
  return isTaken ? files : files.set(METRICS_PATH, formatMetrics(report));
}

function renderSiteFiles(report: SiteReport, { draw }: Rendering): [path: string, text: string][] {
  const { site: { slug }, statistics } = report;
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
    [badgePath(slug, "status"), draw(statusBadge(displayState(report)))],
  ];
}
