import type { SiteEvent } from "./message.ts";

const ORDER = ["down", "degraded", "up", "notice", "test"] as const;

/**
 * Events in the order of what they ask of people; those of a kind stay in the order in which they
 * happened.
 */
export function importantFirst(events: readonly SiteEvent[]): SiteEvent[] {
  return events.toSorted((a, b) => ORDER.indexOf(a.kind) - ORDER.indexOf(b.kind));
}
