import { shownAddress, type Site } from "../config/config.ts";
import { countFlaps } from "../evaluation/flapping.ts";
import type { SiteState, SiteWindows, Streak } from "../evaluation/results.ts";
import { computeOutageLength, findOutageStart, type Incident } from "../history/incident.ts";
import type { Mute } from "../history/run_state_schema.ts";
import {
  currentReason,
  findNotifiableState,
  isSuppressed,
  latestState,
  reasonKind,
} from "../incidents/plan_incident.ts";
import { findHint } from "../incidents/hints.ts";
import { eventId, type IncidentEvent } from "../incidents/incident_event.ts";
import type { SiteEvent } from "../notifications/message.ts";
import type { Language } from "../text/language.ts";
import { storedTime } from "../notifications/stored_times.ts";
import { plainText } from "../text/plain_text.ts";
import type { Subject } from "../notifications/subject.ts";
import { formatTime, isBefore, latest } from "../time.ts";
import type { Findings } from "./findings.ts";
import type { HistoryState } from "./history_state.ts";
import type { Outcome } from "./outcomes.ts";
import { toAcknowledged } from "./respond.ts";

interface SubjectCauses
  extends Pick<Findings, "outcomes" | "causes" | "abandoned" | "streaks" | "incidents"> {
  /** Sites in maintenance. */
  windows: SiteWindows;
  mutes: Readonly<Record<string, Mute>>;
  /** Ids of incidents in the states of channels, which need their ends. */
  notified: ReadonlySet<string>;
  /** Of hints. */
  language: Language;
}

/**
 * Lists the incidents of sites as they are after a run: those that are open, and those that have just ended or whose
 * end channels may not have been sent. Those that were suppressed by a dependency before
 * anybody was notified are left out.
 */
export function listIncidentSubjects(
  { incidents, ended, sites, records }: Pick<
    HistoryState,
    "incidents" | "ended" | "sites" | "records"
  >,
  causes: SubjectCauses,
  now: Temporal.Instant,
): Subject[] {
  const { outcomes, abandoned, notified, language } = causes;
  const bySlug = new Map(outcomes.map((outcome) => [outcome.result.site.slug, outcome]));
  const configured = new Map(sites.map((site) => [site.slug, site]));
  // Of several incidents of a site, channels are notified of the one that its record names.
  const closed = new Set(abandoned.flatMap(({ id, outcome }) => outcome === undefined ? [id] : []));
  for (const { incident: plan } of outcomes) if (plan?.action === "close") closed.add(plan.id);
  const all = new Map([...ended, ...incidents, ...causes.incidents]);
  const failing = new Set(
    [...all.values()].flatMap(({ slug, cause, end }) =>
      end === undefined ? `${slug} ${cause}` : []
    ),
  );
  return [...all].flatMap(([id, incident]): Subject[] => {
    const { slug, end, cause } = incident;
    const isWanted = end === undefined || closed.has(id) || notified.has(id);
    if (!isWanted || isSuppressed(incident)) return [];
    const outcome = bySlug.get(slug);
    const site = outcome?.result.site ?? configured.get(slug);
    const streak = causes.streaks.get(slug);
    const record = records.get(slug)?.incident;
    if (end === undefined && outcome !== undefined && outcome.open === undefined) return [];
    if (end === undefined && outcome === undefined && record !== undefined && record !== id) {
      return [];
    }
    const event = toEvent(id, incident, { site, outcome, streak, language, now });
    const { code, error } = cause === undefined ? currentReason(incident) : incident;
    return [{
      slug,
      incident: id,
      ...end === undefined
        ? { state: streak?.flapping ? "flapping" : findNotifiableState(incident)! }
        : { end, hasJustEnded: closed.has(id) },
      event: { ...event, ...toAcknowledged(incident, now) },
      affected: incident.affects.map((slug) => ({
        name: plainText(configured.get(slug)?.name ?? slug),
        isFailing: failing.has(`${slug} ${id}`),
      })),
      start: incident.start,
      worst: incident,
      hasChanged: incident.changes.length > 0,
      reason: reasonKind({ code, error }),
      isUncertain: isUncertain(outcome, streak) || site?.paused === true ||
        (outcome === undefined && causes.windows.has(slug)),
      ...toMute(causes.mutes[slug], now),
    }];
  });
}

/** True if the last check of a site says nothing about it. */
function isUncertain(outcome: Outcome | undefined, streak: Streak | undefined): boolean {
  return outcome?.result.state === "maintenance" || streak?.unknown !== undefined;
}

function toMute(mute: Mute | undefined, now: Temporal.Instant): { mute?: Mute } {
  return mute !== undefined && isBefore(now, mute.until) ? { mute } : {};
}

function toEvent(
  id: string,
  incident: Incident,
  { site, outcome, streak, language, now }: {
    site?: Site;
    outcome?: Outcome;
    streak?: Streak;
    language: Language;
    now: Temporal.Instant;
  },
) {
  const { start, reopened, changes, end } = incident;
  const result = outcome?.result;
  if (end !== undefined) {
    const condition = site === undefined ? {} : { condition: "up" as const };
    const close = { action: "close", id, incident, at: end, site, result, ...condition } as const;
    return toSiteEvent(close, language);
  }
  const at = latest(start, ...reopened, ...changes.map(({ at }) => at));
  const flaps = streak?.flapping ? countFlaps(streak.changed ?? [], now) : undefined;
  const action: IncidentEvent["action"] = flaps !== undefined
    ? "flap"
    : reopened.at(-1)?.equals(at)
    ? "reopen"
    : start.equals(at)
    ? "open"
    : "update";
  return toSiteEvent({
    ...{ action, id, incident, at, site, before: outcome?.before, flaps },
    condition: findNotifiableState(incident)!,
    result: toResult(incident, result, site),
    released: outcome?.incident?.released,
  }, language);
}

/** The result that shows why a site fails; without one in this run, what its incident says. */
function toResult(
  incident: Incident,
  result: SiteState | undefined,
  site: Site | undefined,
): SiteState | undefined {
  if (result?.state === "down" || result?.state === "degraded" || site === undefined) return result;
  const { code, error } = currentReason(incident);
  const { attempts, confirmed, start: began } = incident;
  return { site, state: findNotifiableState(incident)!, code, error, attempts, began, confirmed };
}

/** The event of an incident as channels get it: plain values without secrets. */
export function toSiteEvent(event: IncidentEvent, language: Language): SiteEvent {
  const { id: incident, incident: { slug, end, issue }, at, site } = event;
  const { condition: state = "up", result: seen, affected, released, flaps } = event;
  const condition = flaps === undefined ? state : event.incident.kind;
  // A site that starts to flap may be up at that moment.
  const result: Partial<SiteState> | undefined = flaps !== undefined && seen?.state === "up"
    ? event.incident
    : seen;
  const url = site === undefined ? undefined : shownAddress(site);
  const openedAt = findOutageStart(event.incident);
  const isOver = event.action === "close" && end !== undefined;
  const expiry = condition === "down" || event.incident.kind === "down"
    ? undefined
    : result?.expiry ?? event.incident.expiry;
  return {
    id: eventId(event),
    kind: condition,
    ...site === undefined ? { gone: true } : {},
    name: plainText(site?.name ?? slug),
    slug,
    url,
    since: formatTime(at),
    ...at.equals(openedAt) || condition === "up" ? {} : { start: formatTime(openedAt) },
    ...site?.severity === "warning" ? { severity: site.severity } : {},
    ...site === undefined ? {} : describeSite(site),
    ...site === undefined || condition !== "down"
      ? {}
      : describeFailure(event, { site, language }, result),
    ...isOver ? describeEnd({ ...event.incident, end }) : {},
    code: result?.code ?? 0,
    error: result?.error ?? "",
    expiry,
    attempts: result?.confirmedBy ?? result?.attempts ?? 0,
    responseTime: result?.responseTime,
    incident,
    issue,
    affected: affected?.map(plainText),
    released: released && { ...released, name: plainText(released.name) },
    flapping: flaps,
  };
}

/** Says how long an outage lasted that is over, and what was wrong. */
function describeEnd(incident: Incident & { end: Temporal.Instant }): Partial<SiteEvent> {
  const { kind } = incident;
  const { code, error } = latestState(incident) === kind ? currentReason(incident) : incident;
  return { lasted: computeOutageLength(incident), failed: { kind, code, error } };
}

/** Says about a site what its configuration says to people. */
function describeSite({ description, runbook, group, tags }: Site): Partial<SiteEvent> {
  return { description, runbook, group, ...tags.length === 0 ? {} : { tags } };
}

function describeFailure(
  { before }: IncidentEvent,
  { site, language }: { site: Site; language: Language },
  { code = 0, error = "", body }: Partial<SiteState> = {},
): Partial<SiteEvent> {
  const hint = findHint(
    { code, error, before },
    site,
    language,
    storedTime,
  );
  return { hint, body };
}
