import type { Redact } from "../../api/showing.ts";
import type { Site } from "../../config/config.ts";
import { shownAddress } from "../../config/shown_address.ts";
import { formatTime } from "../../time.ts";
import { conditionOf, type HistoryRecord } from "../record.ts";
import type { SummaryEntry } from "./summary.ts";

/** What the configuration says of a site, as a summary has it. */
export function summarySite(site: Site, redact: Redact): SummaryEntry["site"] {
  const { name, icon = "", slug, group, paused } = site;
  return {
    name: redact(name),
    url: redact(shownAddress(site) ?? ""),
    icon: redact(icon),
    slug,
    group: group && redact(group),
    paused: paused || undefined,
  };
}

/** What is known beside the record of a site. */
interface Beside {
  inMaintenance: boolean;
  /** The last check, if it is later than the record because it was made in maintenance. */
  lastCheck?: Temporal.Instant;
  /** Number of the issue of its open incident. */
  issue?: number;
}

/** How a site is, as a summary has it. */
export function summaryCurrent(
  record: HistoryRecord | undefined,
  { inMaintenance, issue, lastCheck }: Beside,
): SummaryEntry["current"] {
  const status = record === undefined ? "unknown" : conditionOf(record);
  const state = inMaintenance ? "maintenance" : status;
  if (record === undefined) return { status, state };
  const { since, lastUpdated, code, responseTime, flapping, incident } = record;
  return {
    status,
    state,
    since: formatTime(since),
    lastUpdated: formatTime(lastCheck ?? lastUpdated),
    code,
    responseTime: status === "down" ? undefined : responseTime,
    flapping,
    incident,
    issue: incident === undefined ? undefined : issue,
  };
}
