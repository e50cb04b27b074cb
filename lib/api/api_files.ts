import type { Report, SiteReport } from "../report/report.ts";
import { shownState } from "../report/shown_state.ts";
import { WINDOW_NAMES } from "../statistics/windows.ts";
import { apiPath, METRICS_PATH, statusBadgePath } from "./api_path.ts";
import { formatEndpoint, responseTimeBadge, statusBadge, uptimeBadge } from "./badge.ts";
import { formatMetrics } from "./metrics.ts";
import type { Showing } from "./showing.ts";
import { formatStatistics } from "./site_statistics.ts";

/** Everything that other programs are given of a report: texts by path. */
export function apiFiles(report: Report, showing: Showing): Map<string, string> {
  const files = new Map(report.sites.flatMap((site) => filesOf(site, showing)));
  // A site may go by the very name of the file.
  const isTaken = [...files.keys()].some((path) => path.startsWith(`${METRICS_PATH}/`));
  return isTaken ? files : files.set(METRICS_PATH, formatMetrics(report, showing.redact));
}

function filesOf(report: SiteReport, { draw, redact }: Showing): [path: string, text: string][] {
  const { site: { slug }, statistics } = report;
  const endpoints = WINDOW_NAMES.flatMap((name): [string, string][] => {
    const end = name === "all" ? "" : `-${name}`;
    return [
      [`uptime${end}.json`, formatEndpoint(uptimeBadge(name, statistics[name]))],
      [`response-time${end}.json`, formatEndpoint(responseTimeBadge(name, statistics[name]))],
    ];
  });
  const own: [name: string, text: string][] = [
    ...endpoints,
    ["statistics.json", formatStatistics(report, redact)],
    ["badge-uptime.svg", draw(uptimeBadge("all", statistics.all))],
    ["badge-response-time.svg", draw(responseTimeBadge("all", statistics.all))],
  ];
  return [
    ...own.map(([name, text]): [string, string] => [apiPath(slug, name), text]),
    [statusBadgePath(slug), draw(statusBadge(shownState(report)))],
  ];
}
