import {
  type IncidentPlan,
  isSuppressed,
  planIncident,
  suppress,
} from "../incidents/plan_incident.ts";
import { planReason } from "../incidents/reason.ts";
import { confirm } from "../evaluation/confirm.ts";
import {
  explainSuppression,
  findSuppression,
  type ParentState,
  type RootCause,
  type Suppression,
  toParentState,
} from "../evaluation/dependencies.ts";
import type { ProbeResult, SiteState, SiteWindows, Streak } from "../evaluation/results.ts";
import { type Transition, transition } from "./transition.ts";
import { GENERATOR } from "../version.ts";
import { cutShort } from "./cut_short.ts";
import type { Run } from "../history/checks_log.ts";
import { type Incident, newIncidentId } from "../history/incident.ts";
import { conditionOf, type HistoryRecord } from "../history/record.ts";
import { knownCertificate } from "./known_certificate.ts";
import { endedJustBefore } from "./known_incidents.ts";
import { releaseFrom } from "./release_from.ts";
import type { HistoryState } from "./state.ts";

/** What becomes of an incident to which failures of other sites are put down. */
export interface Affected {
  id: string;
  /** With these sites in it. */
  incident: Incident;
  /** Names of the sites. */
  names: string[];
  /** Whether some of them were not in it before. */
  isNews: boolean;
}

/** What a run found out about one site, and what follows from it. */
export interface Outcome {
  result: SiteState;
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

/** True if a site has changed; that a new one is up is no news. */
export function isNewsToAll({ change }: Outcome): boolean {
  return change !== undefined && !(change.from === undefined && change.to === "up");
}

/**
 * What the looks of a run mean, one by one, given what was known before. A site that fails has to come after
 * those that it depends on.
 */
export class Outcomes {
  /** The records that change, by slug. */
  readonly records = new Map<string, HistoryRecord>();
  /** The incidents that change, by id. */
  readonly incidents = new Map<string, Incident>();
  /** What is to be remembered of the sites, by slug. */
  readonly streaks = new Map<string, Streak>();
  /** States of sites that others depend on, by slug. */
  readonly parents: Map<string, ParentState>;
  readonly #ids: Set<string>;
  readonly #state: HistoryState;
  readonly #run: Run;
  readonly #windows: SiteWindows;

  /** `windows` are the sites in maintenance, `parents` the sites that the run has recorded before. */
  constructor(
    state: HistoryState,
    run: Run,
    windows: SiteWindows,
    parents: ReadonlyMap<string, ParentState> = new Map(),
  ) {
    this.parents = new Map(parents);
    this.#ids = new Set(state.incidentIds);
    this.#state = state;
    this.#run = run;
    this.#windows = windows;
  }

  /** What a look means. Errors in it hold no secrets any more. */
  add(look: ProbeResult): Outcome {
    const { records, incidents, streaks, stale, maintenance } = this.#state;
    const { slug } = look.site;
    const previous = records.get(slug);
    const openId = previous?.incident;
    const open = openId === undefined ? undefined : incidents.get(openId);
    const condition = previous && conditionOf(previous);
    const window = this.#windows.get(slug);
    const suppression = findSuppression(look, this.parents, open?.cause);
    const streak = cutShort(streaks.get(slug), slug, maintenance);
    const { state: result, streak: after } = confirm(look, {
      condition,
      streak,
      window,
      suppression,
    });
    const confirmed = { probed: look, state: result, suppression, condition, window };
    const overtaken = isOvertaken(this.#run, previous);
    if (!overtaken) this.streaks.set(slug, after);
    if (result.state !== "unknown" && result.state !== "maintenance" && !overtaken) {
      return this.#count(confirmed, { previous, openId, open });
    }
    if (stale.has(slug)) this.records.set(slug, previous!);
    const incident = openId === undefined ? undefined : { id: openId, cause: open?.cause };
    this.parents.set(slug, toParentState({ ...confirmed, incident }));
    return { result: explainSuppression(result, suppression), since: previous?.since, open };
  }

  /** What follows from a look that tells how its site is. */
  #count(
    confirmed: Parameters<typeof toParentState>[0],
    { previous, openId, open }: Previous,
  ): Outcome {
    const { probed: look, state: result, suppression, condition } = confirmed;
    const { site, site: { slug } } = look;
    const state = this.#state;
    const change = transition(previous, result);
    const since = change?.at ?? previous!.since;
    const [endedId, ended] = open === undefined
      ? endedJustBefore(state.ended, site, since) ?? []
      : [];
    const known = { state, parents: this.parents, incidents: this.incidents };
    const plan = suppress(result, planIncident(result, { open, ended, condition }, since), {
      open,
      cause: causeOf(suppression, open),
      release: (cause) => releaseFrom(cause, look, known),
    }) ?? this.#planReason({ ...result, began: look.began }, open);
    const id = (open === undefined ? endedId : openId) ?? newIncidentId(since, slug, this.#ids);
    if (plan !== undefined) {
      this.#ids.add(id);
      this.incidents.set(id, plan.incident);
    }
    const left = plan === undefined ? open : plan.incident;
    const goesOn = left !== undefined && left.end === undefined ? left : undefined;
    const incident = goesOn && { ...goesOn, id };
    this.parents.set(slug, toParentState({ ...confirmed, incident }));
    this.records.set(
      slug,
      recordOf(result, this.#run, { previous, since, incident: incident?.id }),
    );
    return {
      result: explainSuppression(result, suppression),
      change,
      since,
      open: goesOn,
      ...plan === undefined ? {} : { incident: { ...plan, id } },
    };
  }

  /** Plans a comment if an ongoing incident has a new reason, and remembers one that is not confirmed yet. */
  #planReason(result: SiteState, open: Incident | undefined): IncidentPlan | undefined {
    if (open === undefined || isSuppressed(open)) return undefined;
    const { slug } = result.site;
    const before = this.#state.streaks.get(slug)?.reason;
    const { seen, incident } = planReason(result, open, before);
    const { reason: _, ...streak } = this.streaks.get(slug)!;
    this.streaks.set(slug, seen === undefined ? streak : { ...streak, reason: seen });
    return incident && { action: "reason", incident };
  }
}

/** What was known of a site. */
interface Previous {
  previous?: HistoryRecord;
  /** The incident that was open, by its record and by its file. */
  openId?: string;
  open?: Incident;
}

/** What an incident is put down to; where that is not sure yet, to what it was. */
function causeOf(suppression: Suppression, open: Incident | undefined): RootCause | undefined {
  if (suppression.kind === "down") return suppression.cause;
  return suppression.kind === "failing" && open?.cause !== undefined
    ? { id: open.cause, name: suppression.name }
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
  result: SiteState,
  { time }: Run,
  { previous, since, incident }: {
    previous?: HistoryRecord;
    since: Temporal.Instant;
    incident?: string;
  },
): HistoryRecord {
  const { site, state, code, responseTime = 0, flapping } = result;
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
    certificate: knownCertificate(result, previous),
  };
}
