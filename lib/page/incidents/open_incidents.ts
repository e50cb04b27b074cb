import { stageOf } from "../../history/stage_of.ts";
import type { StoredIncident } from "../../history/stored_incidents.ts";
import { causesFirst, isIncident, type ListedIncident, newestFirst } from "./incident_days.ts";

/** What goes on at a moment beside maintenance: outages first, then what people tell of, then what is degraded, the newest of each first. */
export function openIncidents(
  incidents: ReadonlyMap<string, StoredIncident>,
  now: Temporal.Instant,
): ListedIncident[] {
  const open = [...incidents].filter(([, one]) =>
    isIncident(one) && pageStage(one, now) === "open"
  );
  return causesFirst(
    newestFirst(open).toSorted(([, one], [, other]) => RANKS[one.kind] - RANKS[other.kind]),
  );
}

const RANKS: Readonly<Record<StoredIncident["kind"], number>> = {
  down: 0,
  manual: 1,
  degraded: 2,
  maintenance: 3,
};

/**
 * The stage of an incident on a page whose now is that of the last check: what people tell of goes on also
 * where they did so after that.
 */
export function pageStage(
  incident: StoredIncident,
  now: Temporal.Instant,
): ReturnType<typeof stageOf> {
  const stage = stageOf(incident, now);
  return stage === "ahead" && incident.kind !== "maintenance" ? "open" : stage;
}
