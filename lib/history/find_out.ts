import { type IncidentPlan, planIncident } from "../incidents/plan.ts";
import type { SiteWindows } from "../maintenance/window.ts";
import { putDown } from "../incidents/put_down.ts";
import { conclude } from "../verdict/conclude.ts";
import {
  type Cause,
  explained,
  type Footing,
  footingOf,
  type Standing,
  standingOf,
} from "../verdict/footing.ts";
import type { CheckResult } from "../verdict/judge.ts";
import { parentsFirst } from "../verdict/parents_first.ts";
import type { Streak } from "../verdict/streak.ts";
import { type Transition, transition } from "../verdict/transition.ts";
import { GENERATOR } from "../version.ts";
import { type CheckRow, checksPath, sitesWithPhases } from "./checks_log.ts";
import { type Affected, withAffected } from "./affected.ts";
import { cutShort } from "./cut_short.ts";
import { abandon, type AbandonedIncident } from "./gone_sites.ts";
import { type Incident, newIncidentId } from "./incident.ts";
import { endedJustBefore } from "./known_incidents.ts";
import { conditionOf, type HistoryRecord } from "./record.ts";
import { rowOf } from "./row_of.ts";
import { releaseFrom } from "./release_from.ts";
import type { HistoryState } from "./state.ts";

/** A run: when it started, and what tells it from others that started then. */
export interface Run {
  id: string;
  time: Temporal.Instant;
}

/** What a run found out about one site, and what follows from it. */
export interface Outcome {
  result: CheckResult;
  /** Present where the site's condition changed. */
  change?: Transition;
  /** Present where something happens to the site's incident. */
  incident?: IncidentPlan & { id: string };
  /** When the present condition began; absent while nothing is known of the site. */
  since?: Temporal.Instant;
  /** The incident that is open after the run. */
  open?: Incident;
  /** Present where failures of other sites are put down to that incident from this run on. */
  affected?: Affected;
}

/** What a run found out, before it is settled where that is kept. */
export interface Findings {
  outcomes: Outcome[];
  rows: CheckRow[];
  /** Incidents that end because their site is no longer configured. */
  abandoned: AbandonedIncident[];
  /** What is to be remembered of the sites, by slug. */
  streaks: Map<string, Streak>;
  /** The records that change, by slug. */
  records: Map<string, HistoryRecord>;
  /** The incidents that change, by id. */
  incidents: Map<string, Incident>;
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
  const records = new Map<string, HistoryRecord>();
  const incidents = new Map<string, Incident>();
  const ids = new Set(state.incidentIds);
  const streaks = new Map<string, Streak>();
  const standings = new Map<string, Standing>();
  const outcomeOf = (look: CheckResult): Outcome => {
    const { slug } = look.site;
    const previous = state.records.get(slug);
    const overtaken = isOvertaken(run, previous);
    const openId = previous?.incident;
    const open = openId === undefined ? undefined : state.incidents.get(openId);
    const condition = previous && conditionOf(previous);
    const window = windows.get(slug);
    const footing = footingOf(look, standings, open?.cause);
    const { result, streak } = conclude(look, {
      condition,
      streak: cutShort(state.streaks.get(slug), slug, state.maintenance),
      window,
      footing,
    });
    const stand = { look, result, footing, condition, window };
    if (!overtaken) streaks.set(slug, streak);
    if (result.state === "unknown" || result.state === "maintenance" || overtaken) {
      if (state.stale.has(slug)) records.set(slug, previous!);
      const incident = openId === undefined ? undefined : { id: openId, cause: open?.cause };
      standings.set(slug, standingOf({ ...stand, incident }));
      return { result: explained(result, footing), since: previous?.since, open };
    }
    const change = transition(previous, result);
    const since = change?.at ?? previous!.since;
    const [endedId, ended] = open === undefined
      ? endedJustBefore(state.ended, look.site, since) ?? []
      : [];
    const plan = putDown(result, planIncident(result, { open, ended, condition }, since), {
      open,
      cause: causeOf(footing, open),
      release: (cause) => releaseFrom(cause, look, { state, standings, incidents }),
    });
    const known = open === undefined ? endedId : openId;
    const id = known ?? newIncidentId(since, slug, ids);
    const left = plan === undefined ? open : plan.incident;
    const stays = left !== undefined && left.end === undefined;
    const incident = stays ? id : undefined;
    records.set(slug, recordOf(result, run, { previous, since, incident }));
    if (plan !== undefined) {
      ids.add(id);
      incidents.set(id, plan.incident);
    }
    standings.set(slug, standingOf({ ...stand, incident: stays ? { ...left, id } : undefined }));
    const planned = plan === undefined ? {} : { incident: { ...plan, id } };
    return {
      result: explained(result, footing),
      change,
      since,
      open: stays ? left : undefined,
      ...planned,
    };
  };
  const found = new Map(parentsFirst(looks).map((look) => [look, outcomeOf(look)]));
  const outcomes = withAffected(looks.map((look) => found.get(look)!), state.incidents, incidents);
  const abandoned = abandon(state, run.time);
  for (const [slug, record] of abandoned.records) records.set(slug, record);
  for (const { id, incident } of abandoned.incidents) incidents.set(id, incident);
  const log = state.logs.get(checksPath(run.time));
  const told = sitesWithPhases(log, state.recalled.rows, run.time);
  const rows = outcomes.map(({ result }) => rowOf(result, run, told));
  return { outcomes, rows, abandoned: abandoned.incidents, streaks, records, incidents };
}

/** What an incident is put down to; where that is not sure yet, to what it was. */
function causeOf(footing: Footing, open: Incident | undefined): Cause | undefined {
  if (footing.kind === "down") return footing.cause;
  return footing.kind === "failing" && open?.cause !== undefined
    ? { id: open.cause, name: footing.name }
    : undefined;
}

/** Minutes that runs may overlap; a record further ahead was written by a clock that was wrong. */
const OVERLAP = { minutes: 10 };

/** Whether a run that started later has already told how the site is. */
function isOvertaken({ time }: Run, previous: HistoryRecord | undefined): boolean {
  if (previous === undefined) return false;
  const { lastUpdated } = previous;
  return Temporal.Instant.compare(lastUpdated, time) > 0 &&
    Temporal.Instant.compare(lastUpdated, time.add(OVERLAP)) <= 0;
}

function recordOf(
  { site, state, code, responseTime = 0, flapping }: CheckResult,
  { time }: Run,
  { previous, since, incident }: {
    previous?: HistoryRecord;
    since: Temporal.Instant;
    incident?: string;
  },
): HistoryRecord {
  return {
    url: site.url,
    status: state === "down" ? "down" : "up",
    code,
    responseTime: Math.round(responseTime),
    lastUpdated: time,
    startTime: previous?.startTime ?? time,
    generator: GENERATOR,
    degraded: state === "degraded",
    since,
    flapping,
    incident,
  };
}
