import type { Site } from "../../lib/config/config.ts";
import { type Incident, UNCHANGED } from "../../lib/history/incident.ts";
import type { IncidentEvent } from "../../lib/incidents/incident_event.ts";
import type { SiteState } from "../../lib/evaluation/results.ts";
import { NOW, resultOf } from "./outcomes.ts";

/** Phases of a request that was answered. */
export const PHASES = { dns: 4, connect: 18, tls: 35, ttfb: 60, download: 6 };

/** The tracker's event for an incident that starts at {@linkcode NOW}, confirmed after 31 seconds. */
export function openingOf(
  site: Site,
  condition: "down" | "degraded",
  more: Partial<SiteState>,
): IncidentEvent {
  const confirmed = NOW.add({ seconds: 31 });
  const result = resultOf(site, condition, { attempts: 3, confirmed, ...more });
  const { code, error = "", attempts } = result;
  const { slug } = site;
  const fields = { code, error, attempts, ...UNCHANGED };
  const incident = { slug, kind: condition, start: NOW, confirmed, ...fields };
  return { action: "open", id: `2026-11-21-${slug}`, incident, condition, at: NOW, site, result };
}

/** The same incident later. */
export function laterOf(
  event: IncidentEvent,
  action: "update" | "reopen",
  { minutes, ...more }: { minutes: number } & Partial<SiteState> & Pick<SiteState, "state">,
): IncidentEvent {
  const at = NOW.add({ minutes });
  const { incident, site } = event;
  const result = resultOf(site!, more.state, { began: at, confirmed: at, ...more });
  const condition = more.state === "down" ? "down" : "degraded";
  const { code, error = "" } = result;
  const worst: Incident = condition === "down"
    ? { ...incident, kind: "down", code, error, confirmed: at }
    : incident;
  return { ...event, action, incident: worst, condition, at, result };
}

/** The end of an incident, by the site being back. */
export function endingOf(event: IncidentEvent, end: Temporal.Instant): IncidentEvent {
  const { incident, site } = event;
  const result = resultOf(site!, "up", { began: end, confirmed: end });
  return {
    ...event,
    action: "close",
    incident: { ...incident, end },
    condition: "up",
    at: end,
    result,
  };
}
