import { shownAddress } from "../config/shown_address.ts";
import type { Findings } from "./find_out.ts";
import type { Outcome } from "./outcomes.ts";
import type { Incident } from "../history/incident.ts";
import type { HistoryRecord } from "../history/record.ts";
import { eventId, type IncidentEvent } from "../incidents/incident_event.ts";
import { incidentEvents } from "./incident_events.ts";
import { stateOf } from "../incidents/plan_incident.ts";
import { plainText } from "../text/plain_text.ts";
import { formatTime } from "../time.ts";
import type { SiteState } from "../evaluation/results.ts";
import type { NewsEvent, OpenOutage } from "../notifications/message.ts";

/**
 * What a run found that channels may be told of: what happens to incidents, so that a first look that
 * finds a site up is nothing, and of a site that is flapping only what starts and ends that.
 */
export function siteEvents(news: Pick<Findings, "outcomes" | "abandoned">): NewsEvent[] {
  const quiet = ["affects", "reason"];
  return incidentEvents(news).filter(({ action }) => !quiet.includes(action)).map(siteEvent);
}

/**
 * Incidents that go on as they were, given the records as they were before: what reminders are of. A
 * site in maintenance, or of which nothing was learnt, is not among them, and one whose failure is put down
 * to another only as it was told before.
 */
export function standingEvents(
  outcomes: readonly Outcome[],
  records: ReadonlyMap<string, Pick<HistoryRecord, "incident">>,
): NewsEvent[] {
  return outcomes.flatMap((outcome): NewsEvent[] => {
    const { state } = outcome.result;
    return state === "down" || state === "degraded" ? openEvent(outcome, state, records) : [];
  });
}

/** The outages that people know of, given the records and the open incidents as they are kept. */
export function openOutages(
  records: ReadonlyMap<string, Pick<HistoryRecord, "incident">>,
  incidents: ReadonlyMap<string, Incident>,
): OpenOutage[] {
  return [...records].flatMap(([slug, { incident: id = "" }]): OpenOutage[] => {
    const incident = incidents.get(id);
    if (incident === undefined || incident.end !== undefined) return [];
    const kind = incident.cause === undefined ? stateOf(incident) : incident.told;
    return kind === undefined ? [] : [{ slug, incident: id, kind }];
  });
}

/** An open incident to which nothing has happened, as the event that people were notified of. */
function openEvent(
  { result, incident: plan, open: incident, since: at }: Outcome,
  state: "down" | "degraded",
  records: ReadonlyMap<string, Pick<HistoryRecord, "incident">>,
): NewsEvent[] {
  const { site } = result;
  const id = records.get(site.slug)?.incident;
  if (plan !== undefined && plan.action !== "note" && plan.action !== "reason") return [];
  if (id === undefined || incident === undefined || at === undefined) return [];
  const condition = incident.cause === undefined ? state : incident.told;
  if (condition === undefined) return [];
  const reopened = incident.reopened.at(-1);
  const action = reopened?.equals(at)
    ? "reopen"
    : reopened === undefined && incident.start.equals(at)
    ? "open"
    : "update";
  return [siteEvent({ action, id, incident, condition, at, site, result })];
}

function siteEvent(event: IncidentEvent): NewsEvent {
  const { id: incident, incident: { slug, start, reopened, end, issue }, at, site } = event;
  const { condition: state = "up", result: seen, affected, released, flaps } = event;
  const condition = flaps === undefined ? state : event.incident.kind;
  // A site that starts to flap may be up at that moment.
  const result: Partial<SiteState> | undefined = flaps !== undefined && seen?.state === "up"
    ? event.incident
    : seen;
  const url = site === undefined ? undefined : shownAddress(site);
  const began = reopened.at(-1) ?? start;
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
    ...url === undefined ? {} : { url },
    since: formatTime(at),
    ...isOver ? { lasted: Math.max(0, end.epochMilliseconds - began.epochMilliseconds) } : {},
    code: result?.code ?? 0,
    error: result?.error ?? "",
    ...expiry === undefined ? {} : { expiry },
    attempts: result?.confirmedBy ?? result?.attempts ?? 0,
    ...result?.responseTime === undefined ? {} : { responseTime: result.responseTime },
    incident,
    ...issue === undefined ? {} : { issue },
    ...affected === undefined ? {} : { affected: affected.map(plainText) },
    ...released === undefined ? {} : { released: { ...released, name: plainText(released.name) } },
    ...flaps === undefined ? {} : { flapping: flaps },
  };
}
