import { shownAddress } from "../../lib/config/shown_address.ts";
import type { Report, SiteReport } from "../../lib/statistics/report/report.ts";
import { shownState } from "../../lib/statistics/report/shown_state.ts";
import { WINDOW_NAMES } from "../../lib/history/windows.ts";
import { formatTime } from "../../lib/time.ts";
import { incidentJson } from "../incident_json.ts";
import { windowJson } from "../maintenance/window_words.ts";
import { statisticsJson } from "../statistics_json.ts";
import { isChecked } from "./site_state.ts";

/** What `status --json` prints; the keys are told in the README. */
export function statusJson({ time, sites, maintenance }: Report): unknown {
  return {
    time: formatTime(time),
    sites: sites.map(siteJson),
    maintenance: maintenance.map(windowJson),
  };
}

function siteJson(report: SiteReport): unknown {
  const { site, record, lastCheck, evidence, history, statistics } = report;
  const state = shownState(report);
  const open = record?.incident === undefined ? undefined : history.incidents.get(record.incident);
  return {
    name: site.name,
    slug: site.slug,
    group: site.group ?? null,
    address: shownAddress(site) ?? null,
    paused: site.paused,
    state: isChecked(report) || state !== "unknown" ? state : null,
    since: record === undefined || state === "unknown" ? null : formatTime(record.since),
    lastChecked: lastCheck === undefined ? null : formatTime(lastCheck),
    monitoredSince: evidence.first === undefined
      ? null
      : formatTime(Temporal.Instant.fromEpochMilliseconds(evidence.first)),
    code: record?.code ?? null,
    responseTime: record === undefined || record.status === "down"
      ? null
      : Math.round(record.responseTime),
    incident: open === undefined ? null : incidentJson(record!.incident!, open),
    windows: Object.fromEntries(
      WINDOW_NAMES.map((name) => [name, statisticsJson(statistics[name])]),
    ),
  };
}
