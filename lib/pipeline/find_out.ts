import { sortParentsFirst } from "../evaluation/dependencies.ts";
import type { ProbeResult, SiteWindows } from "../evaluation/results.ts";
import { withAffected } from "./affected.ts";
import { type CheckRow, checksPath, type Run, sitesWithPhases } from "../history/checks_log.ts";
import { abandon, type AbandonedIncident } from "./gone_sites.ts";
import { type Outcome, Outcomes } from "./outcomes.ts";
import { rowOf } from "./row_of.ts";
import type { HistoryState } from "./state.ts";

/** What a run found out, before it is settled where that is kept. */
export interface Findings extends Pick<Outcomes, "records" | "incidents" | "streaks" | "parents"> {
  /** Of the sites that were looked at, and of sites recorded before that make one of these fail. */
  outcomes: Outcome[];
  rows: CheckRow[];
  /** Incidents that end because their site is no longer configured. */
  abandoned: AbandonedIncident[];
}

/** Findings that earlier pushes of the run have recorded. */
export type RecordedBefore = Pick<Findings, "outcomes" | "rows" | "parents">;

/**
 * What the looks of a run mean, given what was known before: each tells what this run saw, and becomes
 * the result that counts. Errors in them hold no secrets any more.
 */
export function findOut(
  state: HistoryState,
  looks: readonly ProbeResult[],
  run: Run,
  windows: SiteWindows = new Map(),
  before: Omit<RecordedBefore, "rows"> = { outcomes: [], parents: new Map() },
): Findings {
  const meant = new Outcomes(state, run, windows, before.parents);
  const { records, incidents, streaks, parents } = meant;
  const byLook = new Map(sortParentsFirst(looks).map((look) => [look, meant.add(look)]));
  const own = looks.map((look) => byLook.get(look)!);
  // A site that was recorded before is news again only because of failures that it causes.
  const recorded = before.outcomes.map(({ result, since, open }) => ({ result, since, open }));
  const all = withAffected([...own, ...recorded], state.incidents, incidents);
  const outcomes = all.slice(0, own.length);
  const causes = all.slice(own.length).filter(({ affected }) => affected !== undefined);
  // Checks that wait are committed with any change, also those of sites that are recorded later.
  const turns = new Set([...outcomes, ...recorded].map(({ result }) => result.site.slug));
  for (const slug of state.stale) if (!turns.has(slug)) records.set(slug, state.records.get(slug)!);
  const abandoned = abandon(state, run.time);
  for (const [slug, record] of abandoned.records) records.set(slug, record);
  for (const { id, incident } of abandoned.incidents) incidents.set(id, incident);
  for (const { id, incident } of state.duplicates ?? []) incidents.set(id, incident);
  const log = state.logs.get(checksPath(run.time));
  const told = sitesWithPhases(log, state.recalled.rows, run.time);
  const rows = outcomes.map(({ result }) => rowOf(result, run, told));
  return {
    outcomes: [...outcomes, ...causes],
    rows,
    abandoned: abandoned.incidents,
    streaks,
    records,
    incidents,
    parents,
  };
}
