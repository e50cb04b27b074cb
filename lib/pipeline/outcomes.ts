import { SECURE_CHECKS } from "../config/checks/mod.ts";
import { selectSlugs } from "../config/config.ts";
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
import { type Incident, newIncidentId } from "../history/incident.ts";
import { type HistoryRecord, toCondition } from "../history/record.ts";
import type { Run } from "../history/checks_log.ts";
import {
  type IncidentPlan,
  isSuppressed,
  planIncident,
  planReason,
  type Release,
  suppress,
} from "../incidents/plan_incident.ts";
import type { Before } from "../incidents/hints.ts";
import type { Condition } from "../state.ts";
import { isBefore } from "../time.ts";
import { GENERATOR } from "../version.ts";
import type { HistoryState } from "./history_state.ts";
import { findReopened } from "./known_incidents.ts";

interface Transition {
  /** Absent if the site is new. */
  from?: Condition;
  to: Condition;
  /** Start of the first attempt that showed it. */
  at: Temporal.Instant;
}

/** A root cause, and the sites whose failures it explains since this run. */
export interface Affected {
  id: string;
  /** The incident, with these sites in it. */
  incident: Incident;
  names: string[];
  /** True if some of them were not in it before. */
  hasNew: boolean;
}

/** Conclusion of a run about one site, and its consequences. */
export interface Outcome {
  result: SiteState;
  change?: Transition;
  incident?: IncidentPlan & { id: string };
  /** Start of the present condition; absent while nothing is known of the site. */
  since?: Temporal.Instant;
  open?: Incident;
  /** The site before its incident; absent if it was never up. */
  before?: Before;
  /** Present if that incident explains failures of other sites since this run. */
  affected?: Affected;
}

/** True if a site has changed; a new one that is up has not. */
export function isTransition({ change }: Outcome): boolean {
  return change !== undefined && !(change.from === undefined && change.to === "up");
}

/** The outcomes of a run, site by site. A site has to come after those that it depends on. */
export class Outcomes {
  readonly records = new Map<string, HistoryRecord>();
  readonly incidents = new Map<string, Incident>();
  readonly streaks = new Map<string, Streak>();
  /** States of the checked sites for those that depend on them, by slug. */
  readonly #parents = new Map<string, ParentState>();
  readonly #ids: Set<string>;

  /** `windows` are the sites in maintenance. */
  constructor(readonly state: HistoryState, readonly run: Run, readonly windows: SiteWindows) {
    this.#ids = new Set(state.incidentIds);
  }

  /** Adds the result of a check, whose errors contain no secrets any more. */
  add(seen: ProbeResult): Outcome {
    const { records, incidents, streaks, stale } = this.state;
    const { slug } = seen.site;
    const previous = records.get(slug);
    const probed = startAfterLastCheck(seen, previous, this.run);
    const openId = previous?.incident;
    const open = openId === undefined ? undefined : incidents.get(openId);
    const condition = previous && toCondition(previous);
    const window = this.windows.get(slug);
    const parents = new Map(
      selectSlugs(probed.site.dependsOn).map((slug) => [slug, this.#findParent(slug)]),
    );
    const suppression = findSuppression(probed, parents, open?.cause);
    const streak = this.#endWindow(streaks.get(slug), slug);
    const { state: result, streak: after } = confirm(probed, {
      condition,
      streak,
      window,
      suppression,
    });
    const confirmed = { probed, state: result, suppression, condition, window };
    const overtaken = isOvertaken(this.run, previous);
    if (!overtaken) this.streaks.set(slug, after);
    if (result.state !== "unknown" && result.state !== "maintenance" && !overtaken) {
      return this.#addKnown(confirmed, { previous, openId, open });
    }
    if (stale.has(slug)) this.records.set(slug, previous!);
    const incident = openId === undefined ? undefined : { id: openId, cause: open?.cause };
    this.#parents.set(slug, toParentState({ ...confirmed, incident }));
    return { result: explainSuppression(result, suppression), since: previous?.since, open };
  }

  #addKnown(
    confirmed: Parameters<typeof toParentState>[0],
    { previous, openId, open }: { previous?: HistoryRecord; openId?: string; open?: Incident },
  ): Outcome {
    const { probed, state: result, suppression, condition } = confirmed;
    const { site, site: { slug } } = probed;
    const change = findTransition(previous, result);
    const since = change?.at ?? previous!.since;
    const [endedId, ended] = open === undefined
      ? findReopened(this.state.ended, site, since) ?? []
      : [];
    const plan = suppress(result, planIncident(result, { open, ended, condition }, since), {
      open,
      cause: toRootCause(suppression, open),
      release: (cause) => this.#release(cause, probed),
    }) ?? this.#planReason({ ...result, began: probed.began }, open);
    const id = (open === undefined ? endedId : openId) ?? newIncidentId(since, slug, this.#ids);
    if (plan !== undefined) {
      this.#ids.add(id);
      this.incidents.set(id, plan.incident);
    }
    const after = plan === undefined ? open : plan.incident;
    const ongoing = after !== undefined && after.end === undefined ? after : undefined;
    const incident = ongoing && { ...ongoing, id };
    this.#parents.set(slug, toParentState({ ...confirmed, incident }));
    this.records.set(
      slug,
      toRecord(result, this.run, { previous, since, incident: incident?.id }),
    );
    return {
      result: explainSuppression(result, suppression),
      change,
      since,
      open: ongoing,
      before: ongoing && findBefore(ongoing, result, previous),
      ...plan === undefined ? {} : { incident: { ...plan, id } },
    };
  }

  /** Plans a comment if an ongoing incident has a new reason, and remembers one that is not confirmed yet. */
  #planReason(result: SiteState, open: Incident | undefined): IncidentPlan | undefined {
    if (open === undefined || isSuppressed(open)) return undefined;
    const { slug } = result.site;
    const before = this.state.streaks.get(slug)?.reason;
    const { seen, incident } = planReason(result, open, before);
    const { reason: _, ...streak } = this.streaks.get(slug)!;
    this.streaks.set(slug, seen === undefined ? streak : { ...streak, reason: seen });
    return incident && { action: "reason", incident };
  }

  /** The root cause that no longer explains a failure, as people know it. */
  #release(cause: string, { addresses }: Pick<ProbeResult, "addresses">): Release {
    const { incidents, ended } = this.state;
    const incident = this.incidents.get(cause) ?? incidents.get(cause) ?? ended.get(cause);
    if (incident === undefined) return { name: cause, isBack: addresses?.get(cause) === true };
    const { slug } = incident;
    const { name, down, isFailing, window } = this.#findParent(slug);
    const isKnown = this.#parents.has(slug) || this.state.records.has(slug);
    return { name, isBack: isKnown && down === undefined && !isFailing && window === undefined };
  }

  /** The state of a site that others depend on: after this run, or before it if the run does not check the site. */
  #findParent(slug: string): ParentState {
    const checked = this.#parents.get(slug);
    if (checked !== undefined) return checked;
    const { sites, records, streaks, incidents } = this.state;
    const isPaused = sites.find((site) => site.slug === slug)?.paused === true;
    const record = records.get(slug);
    const own = record?.incident;
    const { failing, window } = (isPaused ? undefined : streaks.get(slug)) ?? {};
    const planned = window?.failing === true ? this.windows.get(slug) : undefined;
    const known = { name: this.#nameOf(slug), ...planned === undefined ? {} : { window: planned } };
    if (record === undefined || own === undefined || toCondition(record) !== "down") {
      return { ...known, isFailing: failing !== undefined && planned === undefined };
    }
    const { cause: id = own } = incidents.get(own) ?? {};
    const name = this.#nameOf(incidents.get(id)?.slug ?? id);
    return { ...known, isFailing: false, down: { id, name } };
  }

  #nameOf(slug: string): string {
    return this.state.sites.find((site) => site.slug === slug)?.name ?? slug;
  }

  /** The streak, with the time at which somebody ended its maintenance by hand: an ongoing failure starts then. */
  #endWindow(streak: Streak | undefined, slug: string): Streak | undefined {
    if (streak?.window === undefined) return streak;
    const { window } = streak;
    const last = [...this.state.maintenance.values()]
      .filter(({ sites, until }) => sites.has(slug) && until.equals(window.until))
      .flatMap(({ end }) => end ?? []).sort(Temporal.Instant.compare).at(-1);
    return last === undefined ? streak : { ...streak, window: { ...window, until: last } };
  }
}

/** A state that began before it was found starts after the last check, which has not seen it. */
function startAfterLastCheck(
  result: ProbeResult,
  previous: HistoryRecord | undefined,
  { time }: Run,
): ProbeResult {
  const last = previous?.lastUpdated;
  const isEarlier = last !== undefined && isBefore(result.began, last) && isBefore(last, time);
  if (!isEarlier) return result;
  // The result of a location may itself be older than the last check.
  const confirmed = isBefore(result.confirmed, last) ? last : result.confirmed;
  return { ...result, began: last, confirmed };
}

/** Finds how a site was before an incident, in its record before the run. */
function findBefore(
  { start }: Incident,
  { code }: SiteState,
  previous: HistoryRecord | undefined,
): Before | undefined {
  if (previous === undefined) return undefined;
  const { code: last, lastUpdated, startTime } = previous;
  const isGood = toCondition(previous) !== "down" && last > 0 && last < 400 && last !== code;
  if (isGood) return { code: last, until: lastUpdated };
  // One that failed from the first run on was never up.
  return isBefore(startTime.add(FIRST_RUN), start) ? { until: start } : undefined;
}

/** Longest time from the start of a run to the first failure that it finds. */
const FIRST_RUN = { minutes: 2 };

/** The transition that a result shows; `undefined` if nothing changed or nothing was learnt. */
function findTransition(
  previous: HistoryRecord | undefined,
  { state, began }: SiteState,
): Transition | undefined {
  if (state === "unknown" || state === "maintenance") return undefined;
  const from = previous === undefined ? undefined : toCondition(previous);
  return from === state ? undefined : { from, to: state, at: began };
}

/** The root cause of an incident; while that is uncertain, the previous one. */
function toRootCause(
  suppression: Suppression,
  open: Incident | undefined,
): RootCause | undefined {
  if (suppression.kind === "down") return suppression.cause;
  return suppression.kind === "failing" && open?.cause !== undefined
    ? { id: open.cause, name: suppression.name }
    : undefined;
}

/** Minutes that runs may overlap; a later record was written by a wrong clock. */
const OVERLAP = { minutes: 10 };

/** True if a run that started later has already recorded the site. */
function isOvertaken({ time }: Run, previous: HistoryRecord | undefined): boolean {
  if (previous === undefined) return false;
  const { lastUpdated } = previous;
  return Temporal.Instant.compare(lastUpdated, time) > 0 &&
    Temporal.Instant.compare(lastUpdated, time.add(OVERLAP)) <= 0;
}

function toRecord(
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
    ...site.public ? {} : { public: false },
    flapping,
    incident,
    certificate: knownCertificate(result, previous),
  };
}

/** Addresses that use TLS; one that starts with a secret may. */
const SECURE = /^(?:https|wss|\$)/i;

/** Expiry of a site's certificate after a run; kept after a failure before TLS, unless the address changed. */
export function knownCertificate(
  { site, certificate, responseTime }: SiteState,
  previous: Pick<HistoryRecord, "url" | "certificate"> | undefined,
): Temporal.Instant | undefined {
  if (certificate !== undefined) return certificate;
  if (previous?.url !== site.url) return undefined;
  const mayBeSecure = SECURE_CHECKS.has(site.check) || SECURE.test(site.url);
  return mayBeSecure || responseTime === undefined ? previous.certificate : undefined;
}
