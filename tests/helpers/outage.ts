import { type Incident, UNCHANGED } from "../../lib/history/incident.ts";

/** An incident in which the shop went down at a moment and still is, or with some of it changed. */
export function outageSince(start: Temporal.Instant, changes: Partial<Incident> = {}): Incident {
  return {
    slug: "shop",
    kind: "down",
    start,
    confirmed: start,
    code: 0,
    error: "connection refused",
    attempts: 3,
    ...UNCHANGED,
    ...changes,
  };
}
