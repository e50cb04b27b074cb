import { shownAddress } from "../../lib/config/shown_address.ts";
import type { Report, SiteReport } from "../../lib/report/report.ts";
import { WINDOW_NAMES } from "../../lib/statistics/windows.ts";
import { formatTime } from "../../lib/time.ts";
import { incidentJson } from "../incident_json.ts";
import { statisticsJson } from "../statistics_json.ts";
import { presentState } from "./site_state.ts";

/** What `status --json` prints; the keys are told in the README. */
export function statusJson({ time, sites }: Report): unknown {
  return { time: formatTime(time), sites: sites.map((site) => siteJson(site, time)) };
}

function siteJson(report: SiteReport, now: Temporal.Instant): unknown {
  const { site, record, condition, evidence, history, statistics } = report;
  const open = record?.incident === undefined ? undefined : history.incidents.get(record.incident);
  return {
    name: site.name,
    slug: site.slug,
    group: site.group ?? null,
    address: shownAddress(site) ?? null,
    paused: site.paused,
    state: presentState(report, now).word === "maintenance" ? "maintenance" : condition ?? null,
    since: record === undefined ? null : formatTime(record.since),
    lastChecked: record === undefined ? null : formatTime(record.lastUpdated),
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
