import type { SiteWindows } from "../maintenance/window.ts";
import type { CheckResult } from "../verdict/judge.ts";
import { parentsFirst } from "../verdict/parents_first.ts";
import { withAffected } from "./affected.ts";
import { type CheckRow, checksPath, sitesWithPhases } from "./checks_log.ts";
import { abandon, type AbandonedIncident } from "./gone_sites.ts";
import { type Outcome, Outcomes } from "./outcomes.ts";
import { rowOf } from "./row_of.ts";
import type { Run } from "./run.ts";
import type { HistoryState } from "./state.ts";

/** What a run found out, before it is settled where that is kept. */
export interface Findings extends Pick<Outcomes, "records" | "incidents" | "streaks"> {
  outcomes: Outcome[];
  rows: CheckRow[];
  /** Incidents that end because their site is no longer configured. */
  abandoned: AbandonedIncident[];
}

/**
 * What the looks of a run mean, given what was known before: each tells what this run saw, and becomes
 * the result that counts. Errors in them hold no secrets any more.
 */
export function findOut(
  state: HistoryState,
  looks: readonly CheckResult[],
  run: Run,
  windows: SiteWindows = new Map(),
): Findings {
  const meant = new Outcomes(state, run, windows);
  const { records, incidents, streaks } = meant;
  const byLook = new Map(parentsFirst(looks).map((look) => [look, meant.add(look)]));
  const own = looks.map((look) => byLook.get(look)!);
  const outcomes = withAffected(own, state.incidents, incidents);
  const abandoned = abandon(state, run.time);
  for (const [slug, record] of abandoned.records) records.set(slug, record);
  for (const { id, incident } of abandoned.incidents) incidents.set(id, incident);
  for (const { id, incident } of state.duplicates ?? []) incidents.set(id, incident);
  const log = state.logs.get(checksPath(run.time));
  const told = sitesWithPhases(log, state.recalled.rows, run.time);
  const rows = outcomes.map(({ result }) => rowOf(result, run, told));
  return { outcomes, rows, abandoned: abandoned.incidents, streaks, records, incidents };
}
