import { isCalledOff, listSlugs, type StoredIncident } from "../history/stored_incidents.ts";
import type { Update } from "../history/yaml_file.ts";
import { isBefore, MINUTE } from "../time.ts";
import { groupBySite, isIncident, type ListedIncident, sortNewestFirst } from "./incidents.ts";

/** A change of the state of a site in an incident. */
export interface Change {
  at: Temporal.Instant;
  word: "down" | "degraded" | "ended" | "reopened";
}

/** Lists the state changes of an incident of a site, by time; none for others. */
export function listChanges(incident: StoredIncident): Change[] {
  if (incident.kind === "maintenance" || incident.kind === "manual") return [];
  const { start, kind, changes, reopened, ended, end } = incident;
  const [first] = changes;
  const started = first === undefined ? kind : first.state === "down" ? "degraded" : "down";
  return sortByTime([
    { at: start, word: started },
    ...changes.map(({ at, state }) => ({ at, word: state })),
    ...ended.map((at) => ({ at, word: "ended" as const })),
    ...reopened.map((at) => ({ at, word: "reopened" as const })),
    ...end === undefined ? [] : [{ at: end, word: "ended" as const }],
  ]);
}

/** Events that the monitor itself adds to a timeline. */
export type TimelineEvent =
  | Change["word"]
  | "confirmed"
  | "reason"
  | "acknowledged"
  | "started"
  | "completed"
  | "canceled";

export interface TimelineEntry {
  at: Temporal.Instant;
  /** Absent if people wrote it. */
  event?: TimelineEvent;
  /** The error that an event found, or the Markdown of people; may be empty. */
  text: string;
  phase?: Update["phase"];
  /** True for the start of an incident that was confirmed within a minute. */
  isConfirmed?: boolean;
  /** The number of an update among all of the incident, from 1. */
  number?: number;
}

/** Lists updates and events of an incident, the newest first, without post-mortems. Nobody is named. */
export function listTimeline(incident: StoredIncident, now: Temporal.Instant): TimelineEntry[] {
  const updates = incident.updates.map((update, index) => ({ ...update, number: index + 1 }));
  return sortByTime<TimelineEntry>([
    ...listEvents(incident, now),
    ...updates.filter(({ phase }) => phase !== "post-mortem"),
  ]).reverse();
}

function listEvents(incident: StoredIncident, now: Temporal.Instant): TimelineEntry[] {
  const { start, end } = incident;
  if (incident.kind === "maintenance" || incident.kind === "manual") {
    if (isCalledOff(incident)) return [{ at: start, event: "canceled", text: "" }];
    const hasStarted = !isBefore(now, start) || incident.kind === "manual";
    const text = incident.kind === "manual" ? incident.text : "";
    return [
      ...hasStarted ? [{ at: start, event: "started" as const, text }] : [],
      ...end === undefined ? [] : [{ at: end, event: "completed" as const, text: "" }],
    ];
  }
  const { confirmed, error, reasons, acknowledgements } = incident;
  const isConfirmed = confirmed.since(start).total("milliseconds") < MINUTE;
  const [first, ...changes] = listChanges(incident).map(({ at, word }): TimelineEntry => ({
    at,
    event: word,
    text: "",
  }));
  return [
    ...isConfirmed
      ? [{ ...first!, text: error, isConfirmed }]
      : [first!, { at: confirmed, event: "confirmed" as const, text: error }],
    ...changes,
    ...reasons.map(({ at, error }) => ({ at, event: "reason" as const, text: error })),
    ...acknowledgements.map(({ at }) => ({ at, event: "acknowledged" as const, text: "" })),
  ];
}

/** Of events at the same time, the order stays. */
function sortByTime<Entry extends { at: Temporal.Instant }>(entries: Entry[]): Entry[] {
  return entries.sort((one, other) => Temporal.Instant.compare(one.at, other.at));
}

/** The incidents before and after another one of the same site. */
export interface Neighbours {
  earlier?: ListedIncident;
  later?: ListedIncident;
}

/** Returns a function that finds the neighbours of incidents; of several sites, those of the first one. */
export function createNeighbours(
  incidents: ReadonlyMap<string, StoredIncident>,
): (id: string, incident: StoredIncident) => Neighbours {
  const listed = [...incidents].filter(([, incident]) => isIncident(incident));
  const places = new Map(
    [...groupBySite(new Map(listed))].map(([slug, own]) => {
      const sorted = sortNewestFirst(own);
      return [slug, { sorted, at: new Map(sorted.map(([id], index) => [id, index])) }];
    }),
  );
  return (id, incident) => {
    const place = places.get(listSlugs(incident)[0] ?? "");
    const at = place?.at.get(id);
    if (place === undefined || at === undefined) return {};
    return { earlier: place.sorted[at + 1], later: place.sorted[at - 1] };
  };
}
