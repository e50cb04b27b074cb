import type { ManualIncident } from "../../history/manual_incident.ts";
import type { StoredIncident } from "../../history/stored_incidents.ts";

/** An incident whose issue people comment on. */
export interface Tracked {
  /** Number of the issue. */
  issue: number;
  /** No comment on the issue is older. */
  from: Temporal.Instant;
  isOpen: boolean;
  /** Whether no file tells of it yet. */
  isNew: boolean;
}

/** How long before what it is about an issue may have been opened, in hours: clocks differ, and maintenance is announced ahead. */
const AHEAD: Readonly<Record<StoredIncident["kind"], number>> = {
  down: 1,
  degraded: 1,
  maintenance: 366 * 24,
  manual: 0,
};

/** What there is to follow of a stored incident; `undefined` where it has no issue. */
export function trackedOf(incident: StoredIncident): Tracked | undefined {
  const { issue, kind, start, end } = incident;
  if (issue === undefined) return undefined;
  const from = start.subtract({ hours: AHEAD[kind] });
  return { issue, from, isOpen: end === undefined, isNew: false };
}

/** The same of manual incidents as their issues have them; `known` are the numbers of those with a file. */
export function trackedManual(
  incidents: readonly Omit<ManualIncident, "updates">[],
  known: ReadonlySet<number>,
): Tracked[] {
  return incidents.map(({ issue, start, end }) => (
    { issue, from: start, isOpen: end === undefined, isNew: !known.has(issue) }
  ));
}
