import type { Site } from "../config/config.ts";
import type { Phases } from "../checks/observation.ts";
import { sortParentsFirst } from "../evaluation/dependencies.ts";
import { markUsed } from "../evaluation/locations.ts";
import type { ProbeResult, SiteState, SiteWindows } from "../evaluation/results.ts";
import type { CheckRow, Run } from "../history/checks_log.ts";
import { endIncident, type Incident } from "../history/incident.ts";
import { findTimedSites } from "../history/known_logs.ts";
import { isUsed } from "../history/location_results.ts";
import type { HistoryRecord } from "../history/record.ts";
import type { GroupedIncident } from "../incidents/incident_event.ts";
import { shareIssues } from "../incidents/shared_issues.ts";
import type { HistoryState } from "./history_state.ts";
import { findLaterUp } from "./known_incidents.ts";
import { type Affected, type Outcome, Outcomes } from "./outcomes.ts";

/** Conclusions of a run about all sites, before they are stored. */
export interface Findings extends Pick<Outcomes, "records" | "incidents" | "streaks"> {
  /** Outcomes of the checked sites. */
  outcomes: Outcome[];
  /** Root causes of failures that other runs have found. */
  causes: FoundCause[];
  rows: CheckRow[];
  /** Incidents that end because their site is no longer configured, or because no record names them. */
  abandoned: AbandonedIncident[];
}

/** A root cause that explains failures since this run. */
export interface FoundCause extends Affected {
  site?: Site;
  /** Absent if this run has not checked the site. */
  result?: SiteState;
  /** Start of its present condition. */
  since: Temporal.Instant;
}

export interface AbandonedIncident {
  id: string;
  slug: string;
  incident: Incident;
  /** Outcome of the site; absent if it is no longer configured. */
  outcome?: Outcome;
}

/** Turns the results of a run into findings, given the history. Errors in the results contain no secrets any more. */
export function toFindings(
  state: HistoryState,
  probed: readonly ProbeResult[],
  run: Run,
  windows: SiteWindows,
): Findings {
  const concluded = new Outcomes(state, run, windows);
  const { records, incidents, streaks } = concluded;
  // Another run may have used the same results of locations meanwhile.
  const used = Object.values(state.loadedState.runState?.locations ?? {});
  const results = probed.map((one) =>
    markUsed(one, (sent) => used.some((text) => isUsed(text, sent, one.site.slug)))
  );
  const byResult = new Map(sortParentsFirst(results).map((one) => [one, concluded.add(one)]));
  const own = results.map((one) => byResult.get(one)!);
  const { outcomes, causes } = withAffected(own, state, incidents);
  // Pending checks are committed with any change, also those of sites that this run does not check.
  const checked = new Set(outcomes.map(({ result }) => result.site.slug));
  for (const slug of state.stale) {
    if (!checked.has(slug)) records.set(slug, state.records.get(slug)!);
  }
  const gone = abandonSites(state, run.time);
  for (const [slug, record] of gone.records) records.set(slug, record);
  const abandoned = [...gone.incidents, ...endOrphans(state, outcomes, run.time)];
  for (const { id, incident } of abandoned) incidents.set(id, incident);
  const withPhases = findTimedSites(state.logs, state.loadedState.rows, run.time);
  return {
    outcomes,
    causes,
    rows: outcomes.flatMap(({ result }) => [
      toRow(result, run, withPhases),
      ...toLocationRows(result, run),
    ]),
    abandoned,
    streaks,
    records,
    incidents,
  };
}

/** Adds to root causes (in `changed`) and their outcomes the sites whose failures they explain. */
function withAffected(
  outcomes: readonly Outcome[],
  { incidents: before, records, sites }: Pick<HistoryState, "incidents" | "records" | "sites">,
  changed: Map<string, Incident>,
): Pick<Findings, "outcomes" | "causes"> {
  const dependents = outcomes.filter(({ incident: plan }) =>
    plan?.action === "silent" && plan.incident.end === undefined &&
    plan.incident.cause !== undefined && plan.incident.cause !== before.get(plan.id)?.cause
  );
  const bySlug = new Map<string, Affected>();
  for (const [id, own] of Map.groupBy(dependents, ({ incident }) => incident!.incident.cause!)) {
    const incident = changed.get(id) ?? before.get(id);
    if (incident === undefined) continue;
    const slugs = own.map(({ result: { site } }) => site.slug);
    const affects = [...new Set([...incident.affects, ...slugs])];
    const after = { ...incident, affects };
    changed.set(id, after);
    bySlug.set(incident.slug, {
      id,
      incident: after,
      names: own.map(({ result: { site } }) => site.name),
      hasNew: affects.length > incident.affects.length,
    });
  }
  const checked = new Set(outcomes.map(({ result }) => result.site.slug));
  const causes = [...bySlug].filter(([slug]) => !checked.has(slug)).map(([slug, affected]) => ({
    ...affected,
    site: sites.find((site) => site.slug === slug),
    since: records.get(slug)?.since ?? affected.incident.start,
  }));
  const after = outcomes.map((outcome) => {
    const affected = bySlug.get(outcome.result.site.slug);
    if (affected === undefined) return outcome;
    const { incident } = affected;
    const plan = outcome.incident && { ...outcome.incident, incident };
    return {
      ...outcome,
      affected,
      open: incident,
      ...plan === undefined ? {} : { incident: plan },
    };
  });
  return { outcomes: after, causes };
}

/** Replaces incidents wherever findings refer to them. */
export function replaceIncidents(
  findings: Findings,
  replaced: ReadonlyMap<Incident, Incident>,
): Findings {
  if (replaced.size === 0) return findings;
  const find = (incident: Incident) => replaced.get(incident) ?? incident;
  const withNew = <T extends { incident: Incident }>(one: T): T => (
    { ...one, incident: find(one.incident) }
  );
  return {
    ...findings,
    outcomes: findings.outcomes.map((outcome) => {
      const { open, incident, affected } = outcome;
      return {
        ...outcome,
        ...open === undefined ? {} : { open: find(open) },
        ...incident === undefined ? {} : { incident: withNew(incident) },
        ...affected === undefined ? {} : { affected: withNew(affected) },
      };
    }),
    causes: findings.causes.map(withNew),
    abandoned: findings.abandoned.map(withNew),
  };
}

/** Adds the groups of their sites to incidents. */
export function toGroupedIncidents(
  incidents: Iterable<readonly [id: string, incident: Incident]>,
  sites: HistoryState["sites"],
): GroupedIncident[] {
  const groups = new Map(sites.map(({ slug, group }) => [slug, group]));
  return Array.from(incidents, ([id, incident]) => (
    { id, incident, group: groups.get(incident.slug) }
  ));
}

/** Makes incidents that are opened share issues if there are too many. */
export function shareNewIncidents(
  { sites, incidents, ended }: Pick<HistoryState, "sites" | "incidents" | "ended">,
  findings: Findings,
  time: Temporal.Instant,
): Findings {
  const opened = toGroupedIncidents(
    findings.outcomes.flatMap(({ incident: plan }) =>
      plan?.action === "open" ? [[plan.id, plan.incident] as const] : []
    ),
    sites,
  );
  const known = toGroupedIncidents([...incidents, ...ended], sites);
  const changed = shareIssues(opened, { known, time });
  const replaced = new Map(opened.flatMap(({ id, incident }) => {
    const after = changed.get(id);
    return after === undefined ? [] : [[incident, after] as const];
  }));
  const after = { ...findings, incidents: new Map([...findings.incidents, ...changed]) };
  return replaceIncidents(after, replaced);
}

/** Ends the open incidents of sites that are no longer configured, and removes them from their records. */
function abandonSites(
  { gone, incidents }: HistoryState,
  time: Temporal.Instant,
): { incidents: AbandonedIncident[]; records: Map<string, HistoryRecord> } {
  const abandoned: AbandonedIncident[] = [];
  const records = new Map<string, HistoryRecord>();
  for (const [slug, { incident: id, ...record }] of gone) {
    const open = id === undefined ? undefined : incidents.get(id);
    if (id !== undefined && open !== undefined) {
      abandoned.push({ id, slug, incident: endIncident(open, time) });
    }
    records.set(slug, record);
  }
  return { incidents: abandoned, records };
}

/**
 * Ends the incidents that no record names: at once if their site is no longer configured, else once it is up, at the time
 * since when it is up.
 */
function endOrphans(
  { orphans, records, configured }: HistoryState,
  outcomes: readonly Outcome[],
  time: Temporal.Instant,
): AbandonedIncident[] {
  const bySlug = new Map(outcomes.map((outcome) => [outcome.result.site.slug, outcome]));
  return [...orphans].flatMap(([id, incident]): AbandonedIncident[] => {
    const { slug } = incident;
    if (configured?.has(slug) === false) {
      return [{ id, slug, incident: endIncident(incident, time) }];
    }
    const outcome = bySlug.get(slug);
    const isUp = outcome?.result.state === "up" && outcome.open === undefined;
    const end = findLaterUp(incident, records.get(slug)) ?? (isUp ? outcome.since : undefined);
    if (outcome === undefined || end === undefined) return [];
    return [{ id, slug, incident: endIncident(incident, end), outcome }];
  });
}

/**
 * The row of a result. Phases are stored for unusual results, and for the first check of each hour. A response time
 * that an earlier row has is left out, so that statistics count each measurement once.
 */
function toRow(result: SiteState, { id, time }: Run, withPhases: ReadonlySet<string>): CheckRow {
  const { site: { slug }, state, code, responseTime, attempts, phases, error } = result;
  const isMeasured = isMeasuredAnew(result);
  const isNeeded = isMeasured && (state !== "up" || error !== undefined || !withPhases.has(slug));
  return {
    time,
    run: id,
    slug,
    state,
    code,
    ms: isMeasured ? responseTime : undefined,
    attempts,
    phases: isNeeded && phases !== undefined ? formatPhases(phases) : undefined,
    error,
  };
}

/** True unless the response time is one that a location or shard has sent for an earlier run. */
function isMeasuredAnew({ isRepeated, locations, responseTime }: SiteState): boolean {
  return locations?.some((one) => one.isNew && one.responseTime === responseTime) ?? !isRepeated;
}

/** The rows of the locations of a result that have seen something new, if there are several. */
function toLocationRows(
  { site: { slug }, locations = [] }: SiteState,
  { id, time }: Run,
): CheckRow[] {
  if (locations.length < 2) return [];
  return locations.filter(({ isNew }) => isNew).map((
    { location, state, code, responseTime, attempts, error },
  ) => ({
    ...{ time, run: id, slug, state, code, ms: responseTime, attempts, location, error },
  }));
}

/**
 * Formats phases for the log, in whole milliseconds.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals(formatPhases({ dns: 4.2, connect: 18, tls: 35, ttfb: 60.4, download: 6 }), "4/18/35/60/6");
 * ```
 */
export function formatPhases({ dns, connect, tls, ttfb, download }: Phases): string | undefined {
  const parts = [dns, connect, tls, ttfb, download].map(Math.round);
  return parts.some((part) => part > 0) ? parts.join("/") : undefined;
}
