import { formatIncident, type Incident, incidentPath } from "../history/incident.ts";
import {
  type Expected,
  formatMaintenance,
  type Maintenance,
  maintenanceWindows,
} from "../history/maintenance.ts";
import { recordPath } from "../config/record_path.ts";
import { formatRecord, toCondition } from "../history/record.ts";
import type { MaintenanceChange } from "../incidents/maintenance/plan_maintenance.ts";
import type { Outcome } from "./outcomes.ts";
import type { Rendering } from "../statistics/api/badge.ts";
import {
  type PlacedBadge,
  type Shown,
  siteStatusBadges,
  statusBadges,
} from "../statistics/api/status_badges.ts";
import type { Findings } from "./findings.ts";
import type { SiteWindows } from "../evaluation/results.ts";
import { displayState } from "../statistics/report/report.ts";
import { coverageOfRecord, isLost } from "../statistics/report/report_time.ts";
import type { State } from "../state.ts";
import { isMaintained } from "../evaluation/confirm.ts";
import type { HistoryState } from "./history_state.ts";
import {
  formatSummary,
  NO_STATISTICS,
  selectOthers,
  SUMMARY_PATH,
  summaryCurrent,
  type SummaryEntry,
  summarySite,
  uncheckedCurrent,
} from "../statistics/summary.ts";

/**
 * Files of records and incidents that a run changes. Outside of git they are written one by one in this order:
 * ended incidents, records, open incidents. Incidents with a new issue number, or of which
 * further channels were notified, are included.
 */
export function recordFiles(
  { incidents, ended, outdated }: HistoryState,
  found: Pick<Findings, "records" | "incidents">,
): [path: string, text: string][] {
  const updated = [...incidents, ...ended].filter(([id]) => outdated.has(id));
  const all = [...new Map([...updated, ...found.incidents])];
  const isOver = ([, { end }]: [string, Incident]) => end !== undefined;
  const texts = (some: [string, Incident][]) =>
    some.map(([id, incident]): [string, string] => [
      incidentPath(id),
      formatIncident(incident),
    ]);
  const records = [...found.records].map(([slug, record]): [string, string] => [
    recordPath(slug),
    formatRecord(record),
  ]);
  return [...texts(all.filter(isOver)), ...records, ...texts(all.filter((one) => !isOver(one)))];
}

export function maintenanceFiles(
  changes: readonly MaintenanceChange[],
): [path: string, text: string][] {
  return changes.map(({ id, maintenance }) => [
    incidentPath(id),
    formatMaintenance(maintenance),
  ]);
}

/** True if a site or its incident has changed. */
export function isChange({ change, incident, affected }: Outcome): boolean {
  return (change ?? incident ?? affected) !== undefined;
}

/** {@linkcode recordFiles} of sites and incidents that have changed; the others only repeat the checks. */
export function changedRecordFiles(
  state: HistoryState,
  { outcomes, abandoned }: Pick<Findings, "outcomes" | "abandoned">,
  { records, incidents }: Pick<Findings, "records" | "incidents">,
): [path: string, text: string][] {
  const changed = new Set([
    ...outcomes.filter(isChange).map(({ result }) => result.site.slug),
    ...abandoned.map(({ slug }) => slug),
  ]);
  const own = new Map([...records].filter(([slug]) => changed.has(slug)));
  return recordFiles(state, { records: own, incidents });
}

interface SummaryRun extends Pick<Shown, "groups"> {
  now: Temporal.Instant;
  /** Longest time that a check covers, in milliseconds. */
  maxGap: number;
  windows: SiteWindows;
}

/**
 * The summary with the states after a run, and the status badges that differ from those of the summary on the branch
 * (`isShownAnew` if a site that is not new has another state there, or is hidden or shown again). Statistics in the
 * summary stay as they are.
 */
export function summaryFiles(
  known: HistoryState,
  found: Findings,
  run: SummaryRun,
  draw: Rendering["draw"],
): {
  files(): [path: string, text: string][];
  isShownAnew: boolean;
} {
  const { summary: before, sites, configured, records, incidents } = known;
  const { now, maxGap, groups } = run;
  const results = new Map(found.outcomes.map(({ result }) => [result.site.slug, result]));
  const maintenanceChecks = new Map(
    found.rows.flatMap(({ slug, state, time }) => state === "maintenance" ? [[slug, time]] : []),
  );
  const entries = sites.filter((site) => site.public).map((site) => {
    const { slug } = site;
    const { state, locations } = results.get(slug) ?? {};
    const record = found.records.get(slug) ?? records.get(slug);
    const { issue } = found.incidents.get(record?.incident ?? "") ??
      incidents.get(record?.incident ?? "") ?? {};
    // A site that was always in maintenance has no record.
    const isMonitored = !site.paused && run.windows.has(slug);
    const isChecked = state !== undefined || record !== undefined || isMonitored;
    const previous = before.get(slug);
    return {
      site: summarySite(site),
      current: isChecked || previous === undefined
        ? summaryCurrent(record, {
          state: stateAfter(known, found, { ...run, slug, seen: state }),
          issue,
          lastCheck: maintenanceChecks.get(slug),
          locations: site.locations.length < 2
            ? undefined
            : locations === undefined
            ? previous?.current.locations
            : Object.fromEntries(locations.map((one) => [one.location, one.state])),
        })
        : uncheckedCurrent(previous.current, { isPaused: site.paused, maxGap, now }),
    };
  });
  const isShown = (
    { site: { slug }, current: { state } }: Pick<SummaryEntry, "site" | "current">,
  ) => before.get(slug)?.current.state === state;
  const isHiddenAnew = [...found.records].some(([slug, record]) => {
    const earlier = records.get(slug);
    return earlier !== undefined && earlier.public !== record.public;
  });
  return {
    files: () => {
      const all = entries.map((entry): SummaryEntry => ({
        ...entry,
        statistics: before.get(entry.site.slug)?.statistics ?? NO_STATISTICS,
      }));
      const others = configured === undefined ? selectOthers(before, sites) : [];
      return [
        ...drawChangedBadges(before, entries, { sites, groups }, draw),
        [SUMMARY_PATH, formatSummary([...all, ...others])],
      ];
    },
    isShownAnew: isHiddenAnew || entries.some((entry) => {
      const isNew = !before.has(entry.site.slug);
      return isNew ? entry.current.state === "maintenance" : !isShown(entry);
    }),
  };
}

/** The state to display of a site after a run; `seen` is the state that the run concluded. */
function stateAfter(
  state: HistoryState,
  found: Findings,
  { slug, seen = "unknown", now, maxGap, windows }: SummaryRun & { slug: string; seen?: State },
): State {
  const record = found.records.get(slug) ?? state.records.get(slug);
  const streak = found.streaks.get(slug) ?? state.streaks.get(slug);
  const condition = record && toCondition(record);
  const isInMaintenance = seen === "maintenance" ||
    (seen === "unknown" && isMaintained({ window: windows.get(slug), condition }));
  const coverage = {
    unknownRuns: streak?.unknown?.runs ?? 0,
    coveredUntil: record === undefined ? -Infinity : coverageOfRecord(record, maxGap),
  };
  const isUnknown = seen === "unknown" && !isInMaintenance &&
    isLost(coverage, now.epochMilliseconds);
  return displayState({ condition, isInMaintenance, isUnknown });
}

/**
 * The summary and the status badges that change when a person starts or ends maintenance, so that they need
 * no run; empty if nothing changes. `maintenance` are all windows as they are then.
 */
export function maintenanceSummaryFiles(
  before: ReadonlyMap<string, SummaryEntry>,
  { config, maintenance, now }: {
    config: Shown;
    maintenance: Iterable<Maintenance>;
    now: Temporal.Instant;
  },
  draw: Rendering["draw"],
): [path: string, text: string][] {
  const files = [...maintenance];
  const listOpen = (kinds: readonly Expected[]) => {
    const time = now.epochMilliseconds;
    const windows = [...maintenanceWindows(files, kinds)];
    return new Set(
      windows.filter(([, own]) => own.some(({ from, to }) => from <= time && time < to))
        .map(([slug]) => slug),
    );
  };
  const [down, any] = [listOpen(["down"]), listOpen(["down", "degraded"])];
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
  const badges = drawChangedBadges(before, entries, config, draw);
  return badges.length === 0 ? [] : [...badges, [SUMMARY_PATH, formatSummary(entries)]];
}

/** Draws the status badges of single and several sites that differ from those of the summary before. */
function drawChangedBadges(
  before: ReadonlyMap<string, SummaryEntry>,
  entries: readonly Pick<SummaryEntry, "site" | "current">[],
  shown: Shown,
  draw: Rendering["draw"],
): [path: string, text: string][] {
  const statesOf = (some: Iterable<typeof entries[number]>) =>
    new Map([...some].map(({ site: { slug }, current: { state } }) => [slug, state]));
  const earlier = statesOf(before.values());
  const drawn = ([path, badge]: PlacedBadge): [string, string] => [path, draw(badge)];
  const known = new Map(statusBadges(shown, earlier).map(drawn));
  const ofSites = entries.flatMap(({ site, current: { state } }) =>
    earlier.get(site.slug) === state ? [] : siteStatusBadges(site, state)
  );
  const ofSeveral = statusBadges(shown, statesOf(entries)).map(drawn)
    .filter(([path, text]) => known.get(path) !== text);
  return [...ofSites.map(drawn), ...ofSeveral];
}
