import { isCalledOff, stageOf } from "../../history/stage_of.ts";
import type { StoredIncident } from "../../history/stored_incidents.ts";
import { isIncident, type ListedIncident, newestFirst } from "./incident_days.ts";

/** A month and the incidents that began in it. */
export interface IncidentMonth {
  /** `YYYY-MM` on the clocks of a zone. */
  month: string;
  /** How many they are. */
  count: number;
  /** Days that have any, by their dates (`YYYY-MM-DD`), the newest first, like the incidents of each. */
  days: ReadonlyMap<string, readonly ListedIncident[]>;
}

type Incidents = ReadonlyMap<string, StoredIncident>;
/** The day (`YYYY-MM-DD`) of a moment on the clocks of a zone. */
type DateOf = (time: Temporal.Instant) => string;

/** The months that have incidents, the newest first; without maintenance. */
export function incidentMonths(incidents: Incidents, dateOf: DateOf): IncidentMonth[] {
  return monthsOf([...incidents].filter(([, one]) => isIncident(one)), dateOf);
}

/** Maintenance that is over, the newest first; without what was called off before it began. */
export function pastMaintenance(incidents: Incidents, now: Temporal.Instant): ListedIncident[] {
  return newestFirst(
    [...incidents].filter(([, one]) =>
      one.kind === "maintenance" && stageOf(one, now) === "over" && !isCalledOff(one)
    ),
  );
}

/** Incidents by the month in which they began, the newest first. */
export function monthsOf(incidents: readonly ListedIncident[], dateOf: DateOf): IncidentMonth[] {
  const dated = newestFirst(incidents).map((one) => ({ one, date: dateOf(one[1].start) }));
  const months = Map.groupBy(dated, ({ date }) => date.slice(0, "YYYY-MM".length));
  return [...months].map(([month, own]) => {
    const days = Map.groupBy(own, ({ date }) => date);
    return {
      month,
      count: own.length,
      days: new Map([...days].map(([date, of]) => [date, of.map(({ one }) => one)])),
    };
  });
}
