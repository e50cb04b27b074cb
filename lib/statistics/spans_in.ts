import { DAY } from "../time.ts";
import type { Evidence, RolledDay } from "./evidence.ts";
import { appendSpan, type Span } from "./span.ts";
import type { Window } from "./windows.ts";

/**
 * The states of a site all through a window, by time and without overlaps. Of days that are rolled up
 * only the incidents are known: all else in them is `up`, and `unknown` where nothing was observed.
 */
export function spansIn(evidence: Evidence, { from, to }: Window): Span[] {
  const isMet = (span: Pick<Span, "from" | "to">) => span.from < to && span.to > from;
  const days = evidence.days.filter((day) =>
    day.totals.observedTime > 0 && day.from < to && day.from + DAY > from
  );
  const known = [...evidence.spans.filter(isMet), ...daysSpans(days, incidentSpans(evidence))]
    .sort((one, other) => one.from - other.from);
  const whole: Span[] = [];
  let end = from;
  for (const span of known) {
    const begin = Math.max(span.from, end);
    const until = Math.min(span.to, to);
    if (until <= begin) continue;
    appendSpan(whole, { from: end, to: begin, state: "unknown" });
    appendSpan(whole, { from: begin, to: until, state: span.state });
    end = until;
  }
  appendSpan(whole, { from: end, to, state: "unknown" });
  return whole;
}

function incidentSpans({ outages, degradations }: Evidence): Span[] {
  const spans = (pieces: Evidence["outages"], state: Span["state"]) =>
    [...pieces.values()].flat().map((piece): Span => ({ ...piece, state }));
  return [...spans(outages, "down"), ...spans(degradations, "degraded")]
    .sort((one, other) => one.from - other.from);
}

/** Spans of ascending days; incidents that are over before a day are not looked at for the days after it. */
function daysSpans(days: readonly RolledDay[], incidents: readonly Span[]): Span[] {
  let first = 0;
  return days.flatMap((day) => {
    while (first < incidents.length && incidents[first]!.to <= day.from) first++;
    return daySpans(day, incidents, first);
  });
}

function daySpans({ from }: RolledDay, incidents: readonly Span[], first: number): Span[] {
  const [spans, end] = [[] as Span[], from + DAY];
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
  return spans;
}
