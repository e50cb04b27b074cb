import { shownAddress, type Site } from "../config/config.ts";
import type { SiteState } from "../evaluation/results.ts";
import { computeOutageLength, findOutageStart, type Incident } from "../history/incident.ts";
import { findHint } from "../incidents/hints.ts";
import { eventId, type IncidentEvent } from "../incidents/incident_event.ts";
import { currentReason, latestState } from "../incidents/plan_incident.ts";
import type { SiteEvent } from "../notifications/message.ts";
import { plainText } from "../text/plain_text.ts";
import { formatTime } from "../time.ts";

/** The event of an incident as channels get it: plain values without secrets. */
export function toSiteEvent(event: IncidentEvent): SiteEvent {
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
    ...site === undefined || condition !== "down" ? {} : describeFailure(event, site, result),
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
  return {
    description,
    runbook,
    group,
    ...tags.length === 0 ? {} : { tags },
  };
}

function describeFailure(
  { before }: IncidentEvent,
  site: Site,
  { code = 0, error = "", body }: Partial<SiteState> = {},
): Partial<SiteEvent> {
  const hint = findHint({ code, error, before }, site);
  return {
    hint,
    body,
  };
}
