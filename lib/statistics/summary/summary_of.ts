import { NO_DATA } from "../api/badge.ts";
import type { Redact } from "../api/showing.ts";
import type { Report, SiteReport } from "../report/report.ts";
import { shownState } from "../report/shown_state.ts";
import { formatPercent } from "../percent.ts";
import type { WindowName } from "../../history/windows.ts";
import type { SummaryEntry, SummaryStatistics } from "./summary.ts";
import { summaryCurrent, summarySite } from "./summary_entry.ts";

/** The summary of a report. */
export function summaryOf({ sites }: Report, redact: Redact): SummaryEntry[] {
  return sites.map((report) => {
    const { site, record, lastCheck, history: { incidents } } = report;
    const state = shownState(report);
    const issue = incidents.get(record?.incident ?? "")?.issue;
    return {
      site: summarySite(site, redact),
      current: summaryCurrent(record, { state, issue, lastCheck }),
      statistics: statisticsOf(report),
    };
  });
}

function statisticsOf({ statistics, downMinutes }: SiteReport): SummaryStatistics {
  const uptime = (window: WindowName) => {
    const share = statistics[window].uptime;
    return share === undefined ? NO_DATA : formatPercent(share);
  };
  const time = (window: WindowName) => {
    const times = statistics[window].responseTimes;
    return times === undefined ? 0 : Math.max(1, Math.round(times.mean));
  };
  return {
    uptime: uptime("all"),
    uptimeDay: uptime("day"),
    uptimeWeek: uptime("week"),
    uptimeMonth: uptime("month"),
    uptimeYear: uptime("year"),
    time: time("all"),
    timeDay: time("day"),
    timeWeek: time("week"),
    timeMonth: time("month"),
    timeYear: time("year"),
    dailyMinutesDown: Object.fromEntries(downMinutes),
  };
}
