import { DAY } from "../time.ts";
import type { Evidence } from "./evidence.ts";
import { spansInMaintenance } from "./in_maintenance.ts";
import type { RolledDay, RolledDays } from "../history/site_history.ts";
import { appendSpan, type Span } from "./span.ts";

/**
 * The states of a site on ascending days that are rolled up, all through each of them. Only maintenance
 * and incidents are known by the moment: all else is `up`.
 */
export function rolledSpans(
  evidence: Pick<Evidence, "outages" | "degradations" | "maintenance">,
  days: Pick<RolledDays, "forEach">,
): readonly Span[] {
  const incidents = incidentSpans(evidence);
  const spans: Span[] = [];
  let first = 0;
  days.forEach((day) => {
    // Incidents that are over before a day are not looked at for the days after it.
    while (first < incidents.length && incidents[first]!.to <= day.from) first++;
    appendDay(spans, day, incidents, first);
  });
  return spansInMaintenance(spans, evidence.maintenance);
}

function incidentSpans({ outages, degradations }: Pick<Evidence, "outages" | "degradations">) {
  const spans = (pieces: Evidence["outages"], state: Span["state"]) =>
    [...pieces.values()].flat().map((piece): Span => ({ ...piece, state }));
  return [...spans(outages, "down"), ...spans(degradations, "degraded")]
    .sort((one, other) => one.from - other.from);
}

/** Adds the spans of a day to those of days before; a state that goes on makes its span longer. */
function appendDay(
  spans: Span[],
  { from }: RolledDay,
  incidents: readonly Span[],
  first: number,
): void {
  const end = from + DAY;
  let cursor = from;
  for (let index = first; index < incidents.length; index++) {
    const incident = incidents[index]!;
    if (incident.from >= end) break;
    const begin = Math.max(cursor, incident.from);
    const until = Math.min(end, incident.to);
    if (until <= begin) continue;
    appendSpan(spans, { from: cursor, to: begin, state: "up" });
    appendSpan(spans, { from: begin, to: until, state: incident.state });
    cursor = until;
  }
  appendSpan(spans, { from: cursor, to: end, state: "up" });
}
