import { badgePath } from "../history/api_path.ts";
import { type Expected, type Maintenance, maintenanceWindows } from "../history/maintenance.ts";
import { conditionOf } from "../history/record.ts";
import { type Rendering, statusBadge } from "../statistics/api/badge.ts";
import { displayState } from "../statistics/report/report.ts";
import { coverageOfRecord, isLost } from "../statistics/report/report_time.ts";
import {
  formatSummary,
  NO_STATISTICS,
  othersIn,
  parseSummary,
  SUMMARY_PATH,
  summaryCurrent,
  type SummaryEntry,
  summarySite,
  uncheckedCurrent,
} from "../statistics/summary.ts";
import type { Findings } from "./find_out.ts";
import { isMaintained } from "../evaluation/confirm.ts";
import type { SiteWindows } from "../evaluation/results.ts";
import type { State } from "../state.ts";
import type { HistoryState } from "./state.ts";

/** What a run found out that a summary tells. */
type Told = Pick<Findings, "outcomes" | "records" | "incidents" | "rows" | "streaks">;

/** The run that a summary is of. */
interface SummaryRun {
  /** Start of the run. */
  now: Temporal.Instant;
  /** Milliseconds that a check covers at most. */
  maxGap: number;
  /** The sites that are in maintenance in the run. */
  windows: SiteWindows;
}

/**
 * True if a summary shows a site in or out of maintenance, or known or unknown, and a run found that it is
 * otherwise. Changes between up, degraded and down are news by themselves.
 */
export function showsOtherState(state: HistoryState, found: Told, run: SummaryRun): boolean {
  const { summary } = state;
  // Nearly always: a summary is not worth reading for that.
  const isUsual = found.outcomes.every(({ result }) => STEADY.includes(result.state));
  if (isUsual && !/"(?:maintenance|unknown)"/.test(summary ?? "")) return false;
  const before = parseSummary(summary ?? "");
  return found.outcomes.some(({ result: { site: { slug }, state: seen } }) => {
    const shown = before.get(slug)?.current.state;
    const now = kindOf(stateAfter(state, found, { ...run, slug, seen }));
    return shown === undefined ? now === "maintenance" : kindOf(shown) !== now;
  });
}

const STEADY: readonly State[] = ["up", "degraded", "down"];

function kindOf(state: State): "maintenance" | "unknown" | "known" {
  return state === "maintenance" || state === "unknown" ? state : "known";
}

/**
 * The files that a commit takes along so that others see at a glance how all sites are: status badges of
 * those that the summary on the branch shows in another state, and then the summary. What it says of the
 * past stays as it is.
 */
export function summaryFiles(
  known: HistoryState,
  found: Told,
  run: SummaryRun,
  { draw, redact }: Rendering,
): [path: string, text: string][] {
  const { summary, sites, configured, records, incidents } = known;
  const { now, maxGap } = run;
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
    const isKnown = state !== undefined || record !== undefined || previous === undefined;
    return {
      site: summarySite(site, redact),
      current: isKnown
        ? summaryCurrent(record, {
          state: stateAfter(known, found, { ...run, slug, seen: state }),
          issue,
          lastCheck: inMaintenanceAt.get(slug),
        })
        : uncheckedCurrent(previous.current, { isPaused: site.paused, maxGap, now }),
      statistics: previous?.statistics ?? NO_STATISTICS,
    };
  });
  const badges = changedBadges(entries, before, draw);
  const others = configured === undefined ? othersIn(before, sites) : [];
  return [...badges, [SUMMARY_PATH, formatSummary([...entries, ...others])]];
}

/** The state to display of a site after a run, given what the run saw of it. */
function stateAfter(
  state: HistoryState,
  found: Told,
  { slug, seen = "unknown", now, maxGap, windows }: SummaryRun & { slug: string; seen?: State },
): State {
  const record = found.records.get(slug) ?? state.records.get(slug);
  const streak = found.streaks.get(slug) ?? state.streaks.get(slug);
  const condition = record && conditionOf(record);
  const isInMaintenance = seen === "maintenance" ||
    (seen === "unknown" && isMaintained({ window: windows.get(slug), condition }));
  const sighting = {
    unknownRuns: streak?.unknown?.runs ?? 0,
    coveredUntil: record === undefined ? -Infinity : coverageOfRecord(record, maxGap),
  };
  const isUnknown = seen === "unknown" && !isInMaintenance &&
    isLost(sighting, now.epochMilliseconds);
  return displayState({ condition, isInMaintenance, isUnknown });
}

/**
 * The summary and the status badges that change when a person starts or ends maintenance, so that they need
 * no run; empty if nothing changes. `maintenance` are all windows as they are then.
 */
export function maintenanceSummaryFiles(
  summary: string,
  { maintenance, now }: { maintenance: Iterable<Maintenance>; now: Temporal.Instant },
  draw: Rendering["draw"],
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
  draw: Rendering["draw"],
): [path: string, text: string][] {
  return entries.filter(({ site: { slug }, current }) =>
    before.get(slug)?.current.state !== current.state
  ).map(({ site: { slug }, current }) => [
    badgePath(slug, "status"),
    draw(statusBadge(current.state)),
  ]);
}
