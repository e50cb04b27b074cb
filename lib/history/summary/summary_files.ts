import { badgePath } from "../../api/api_path.ts";
import { statusBadge } from "../../api/badge.ts";
import type { Showing } from "../../api/showing.ts";
import type { Findings } from "../find_out.ts";
import type { Expected, Maintenance } from "../maintenance.ts";
import type { Outcome } from "../outcomes.ts";
import { maintenanceWindows } from "../../statistics/maintenance_windows.ts";
import type { HistoryState } from "../state.ts";
import {
  formatSummary,
  NO_STATISTICS,
  othersIn,
  parseSummary,
  SUMMARY_PATH,
  type SummaryEntry,
} from "./summary.ts";
import { summaryCurrent, summarySite } from "./summary_entry.ts";

/** What a run found out that a summary tells. */
type Told = Pick<Findings, "outcomes" | "records" | "incidents" | "rows">;

/** Whether a summary shows a site in maintenance that is not, or one out of it that is. */
export function showsOtherMaintenance(
  summary: string | undefined,
  outcomes: readonly Outcome[],
): boolean {
  const states = new Map(outcomes.map(({ result }) => [result.site.slug, result.state]));
  // Nearly always: a summary is not worth reading for that.
  const isNone = ![...states.values()].includes("maintenance");
  if (isNone && !summary?.includes(`"maintenance"`)) return false;
  const shown = parseSummary(summary ?? "");
  return [...states].some(([slug, state]) =>
    state !== "unknown" &&
    (state === "maintenance") !== (shown.get(slug)?.current.state === "maintenance")
  );
}

/**
 * The files that a commit takes along so that others see at a glance how all sites are: status badges of
 * those that the summary on the branch shows in another state, and then the summary. What it says of the
 * past stays as it is.
 */
export function summaryFiles(
  { summary, sites, configured, records, incidents }: HistoryState,
  found: Told,
  { draw, redact }: Showing,
): [path: string, text: string][] {
  const before = parseSummary(summary ?? "");
  const seen = new Map(found.outcomes.map(({ result }) => [result.site.slug, result.state]));
  const inMaintenanceAt = new Map(
    found.rows.flatMap(({ slug, state, time }) => state === "maintenance" ? [[slug, time]] : []),
  );
  const entries = sites.map((site): SummaryEntry => {
    const { slug } = site;
    const previous = before.get(slug);
    const state = seen.get(slug);
    const record = found.records.get(slug) ?? records.get(slug);
    const { issue } = found.incidents.get(record?.incident ?? "") ??
      incidents.get(record?.incident ?? "") ?? {};
    const inMaintenance = (state ?? previous?.current.state) === "maintenance";
    const isKnown = state !== undefined || record !== undefined || previous === undefined;
    return {
      site: summarySite(site, redact),
      current: isKnown
        ? summaryCurrent(record, { inMaintenance, issue, lastCheck: inMaintenanceAt.get(slug) })
        : site.paused
        ? { ...previous.current, state: previous.current.status }
        : previous.current,
      statistics: previous?.statistics ?? NO_STATISTICS,
    };
  });
  const badges = changedBadges(entries, before, draw);
  const others = configured === undefined ? othersIn(before, sites) : [];
  return [...badges, [SUMMARY_PATH, formatSummary([...entries, ...others])]];
}

/**
 * The summary and the status badges that change when a person starts or ends maintenance, so that they need
 * no run; empty if nothing changes. `maintenance` are all windows as they are then.
 */
export function maintenanceSummaryFiles(
  summary: string,
  { maintenance, now }: { maintenance: Iterable<Maintenance>; now: Temporal.Instant },
  draw: Showing["draw"],
): [path: string, text: string][] {
  const before = parseSummary(summary);
  const files = [...maintenance];
  const openOf = (kinds: readonly Expected[]) => {
    const time = now.epochMilliseconds;
    const windows = [...maintenanceWindows(files, kinds)];
    return new Set(
      windows.filter(([, own]) => own.some(({ from, to }) => from <= time && time < to))
        .map(([slug]) => slug),
    );
  };
  const [down, any] = [openOf(["down"]), openOf(["down", "degraded"])];
  const entries = [...before.values()].map((entry): SummaryEntry => {
    const { site: { slug }, current } = entry;
    const isShown = down.has(slug) || (current.state === "maintenance" && any.has(slug));
    const state = isShown
      ? "maintenance"
      : current.state === "maintenance"
      ? current.status
      : current.state;
    return { ...entry, current: { ...current, state } };
  });
  const badges = changedBadges(entries, before, draw);
  return badges.length === 0 ? [] : [...badges, [SUMMARY_PATH, formatSummary(entries)]];
}

/** Status badges of the sites that a summary shows in another state than before. */
function changedBadges(
  entries: readonly SummaryEntry[],
  before: ReadonlyMap<string, SummaryEntry>,
  draw: Showing["draw"],
): [path: string, text: string][] {
  return entries.filter(({ site: { slug }, current }) =>
    before.get(slug)?.current.state !== current.state
  ).map(({ site: { slug }, current }) => [
    badgePath(slug, "status"),
    draw(statusBadge(current.state)),
  ]);
}
