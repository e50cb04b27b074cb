import type { StoredIncident } from "../history/stored_incidents.ts";
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

/** The months that have incidents, the newest first. */
export function incidentMonths(
  incidents: ReadonlyMap<string, StoredIncident>,
  dateOf: (time: Temporal.Instant) => string,
): IncidentMonth[] {
  return monthsOf([...incidents].filter(([, one]) => isIncident(one)), dateOf);
}

/** Incidents by the month in which they began. */
export function monthsOf(
  incidents: readonly ListedIncident[],
  dateOf: (time: Temporal.Instant) => string,
): IncidentMonth[] {
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
