import type { Redact } from "../api/showing.ts";
import type { Site } from "../../config/config.ts";
import { shownAddress } from "../../config/shown_address.ts";
import { formatTime } from "../../time.ts";
import type { State } from "../../state.ts";
import { conditionOf, type HistoryRecord } from "../../history/record.ts";
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
  /** The state to display. */
  state: State;
  /** The last check, if it is later than the record because it was made in maintenance. */
  lastCheck?: Temporal.Instant;
  /** Number of the issue of its open incident. */
  issue?: number;
}

/** The current part of a site's entry. A state that is no longer known has no start. */
export function summaryCurrent(
  record: HistoryRecord | undefined,
  { state, issue, lastCheck }: Beside,
): SummaryEntry["current"] {
  if (record === undefined) return { status: "unknown", state };
  const { since, lastUpdated, code, responseTime, flapping, incident } = record;
  const isUnknown = state === "unknown";
  const condition = conditionOf(record);
  return {
    status: isUnknown ? "unknown" : condition,
    state,
    since: isUnknown ? undefined : formatTime(since),
    lastUpdated: formatTime(lastCheck ?? lastUpdated),
    code,
    responseTime: condition === "down" ? undefined : responseTime,
    flapping,
    incident,
    issue: incident === undefined ? undefined : issue,
  };
}

/** The entry of a site that a run did not check, such as a paused one: its state ends with the coverage of its last check. */
export function uncheckedCurrent(
  current: SummaryEntry["current"],
  { isPaused, maxGap, now }: { isPaused: boolean; maxGap: number; now: Temporal.Instant },
): SummaryEntry["current"] {
  const last = Date.parse(current.lastUpdated ?? "");
  if (last + maxGap > now.epochMilliseconds) {
    return isPaused ? { ...current, state: current.status } : current;
  }
  return { ...current, status: "unknown", state: "unknown", since: undefined };
}
