import { impactOf } from "../../lib/history/manual_incident.ts";
import { slugsOf, type StoredIncident } from "../../lib/history/stored_incidents.ts";
import { formatTime } from "../../lib/time.ts";
import { changesOf } from "./incident_changes.ts";
import type { ToldIncident } from "./told_incident.ts";

/** What `incidents --json` prints; the keys are told in the README. */
export function incidentsJson(
  incidents: readonly ToldIncident[],
  { now, stale, written }: {
    now: Temporal.Instant;
    stale?: string;
    /** Paths of the files that were written, or would be. */
    written: readonly string[];
  },
): unknown {
  return {
    time: formatTime(now),
    stale: stale ?? null,
    written,
    incidents: incidents.map(({ id, incident, stage }) => ({ id, stage, ...dataOf(incident) })),
  };
}

function dataOf(incident: StoredIncident): Record<string, unknown> {
  const { kind, start, end, issue, updates } = incident;
  const common = {
    kind,
    sites: slugsOf(incident),
    start: formatTime(start),
    end: end === undefined ? null : formatTime(end),
    issue: issue ?? null,
  };
  const timeline = updates.map(({ at, phase, text }) => (
    { at: formatTime(at), phase: phase ?? null, text }
  ));
  if (incident.kind === "manual") {
    const { name, text } = incident;
    return { ...common, name, impact: impactOf(incident), text, updates: timeline };
  }
  if (incident.kind === "maintenance") {
    const { name, source, until, sites, text } = incident;
    const expected = Object.fromEntries(sites);
    return { ...common, name, source, until: formatTime(until), expected, text, updates: timeline };
  }
  const { confirmed, code, error, attempts, cause, affects } = incident;
  return {
    ...common,
    confirmed: formatTime(confirmed),
    ...{ code, error, attempts, cause: cause ?? null, affects },
    changes: changesOf(incident).map(({ at, word }) => ({ at: formatTime(at), what: word })),
    updates: timeline,
  };
}
