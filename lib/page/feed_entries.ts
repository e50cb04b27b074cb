import type { Incident } from "../history/incident.ts";
import type { Maintenance, PlannedWindow } from "../history/maintenance.ts";
import type { ManualIncident } from "../history/manual_incident.ts";
import { isCalledOff, listSlugs, type StoredIncident } from "../history/stored_incidents.ts";
import type { Update } from "../history/yaml_file.ts";
import { earliest, isBefore } from "../time.ts";
import type { Report } from "../statistics/report/report.ts";
import type { FeedState } from "./feed_state.ts";
import { findWindowFiles, isIncident, type ListedWindow } from "./incidents.ts";
import { listChanges } from "./timeline.ts";

/** The news of an item: a change that the monitor found, a step of maintenance, or words of people. */
export type FeedEvent =
  | "down"
  | "degraded"
  | "recovered"
  | "opened"
  | "closed"
  | "planned"
  | "started"
  | "completed"
  | "canceled"
  | "update";

/** One piece of news of an incident or a maintenance window. */
export interface FeedItem {
  /** The id of its entry, a slash, and what never changes: its kind and its time in milliseconds since 1970. */
  id: string;
  /** When it happened. */
  at: Temporal.Instant;
  event: FeedEvent;
  /** True if no file says when it happened: its time is that at which it was published. */
  isFirstSeen?: true;
  /** The words of people, of an `update`. */
  update?: Update;
}

/** An incident or a maintenance window as feeds contain it. */
export interface FeedEntry {
  id: string;
  incident: StoredIncident;
  /** The sites that it concerns; empty if that is not said. */
  slugs: readonly string[];
  /** At least one, the oldest first. */
  items: readonly FeedItem[];
}

type Known = Pick<Report, "time" | "maintenance"> & {
  incidents: ReadonlyMap<string, StoredIncident>;
  /** Names of windows that the configuration repeats. */
  repeated: ReadonlySet<string>;
  /** The feeds of the page before. */
  before: FeedState;
};

/**
 * Lists what feeds are about: incidents that checks found, incidents that people wrote, and maintenance, in no order.
 * Maintenance of the configuration that repeats is left out: every night's backup would fill a feed.
 */
export function listFeedEntries(known: Known): FeedEntry[] {
  const { incidents, maintenance, repeated, time } = known;
  const isRepeated = ({ source, name }: PlannedWindow) =>
    source === "configuration" && repeated.has(name);
  const ahead = findWindowFiles(maintenance, incidents).filter(({ id, window }) =>
    id === undefined && isBefore(time, window.start) && !isRepeated(window)
  );
  const planned = planEntries(ahead);
  return [...incidents, ...planned].flatMap(([id, incident]) => {
    const isMaintenance = incident.kind === "maintenance";
    if (isMaintenance ? isRepeated(incident) : !isIncident(incident)) return [];
    const items = listFeedItems(id, incident, known);
    return items.length === 0 ? [] : [{ id, incident, slugs: listSlugs(incident), items }];
  });
}

function planEntries(windows: readonly ListedWindow[]): [id: string, incident: StoredIncident][] {
  return windows.map((
    { uid, window },
  ) => [uid, { kind: "maintenance", ...window, updates: [] }]);
}

/** Lists the news of an incident, the oldest first; maintenance that is only planned may have none. */
export function listFeedItems(
  id: string,
  incident: StoredIncident,
  known: Pick<Known, "time" | "before">,
): FeedItem[] {
  const events = incident.kind === "maintenance"
    ? listSteps(id, incident, known)
    : incident.kind === "manual"
    ? listNotices(id, incident)
    : listStates(id, incident);
  const updates = incident.updates.map((update) => item(id, "update", update.at, { update }));
  const all = [...events, ...updates].sort((one, other) =>
    Temporal.Instant.compare(one.at, other.at)
  );
  return withDistinctIds(all);
}

function item(
  id: string,
  event: FeedEvent,
  at: Temporal.Instant,
  more: Partial<FeedItem> = {},
): FeedItem {
  return { id: `${id}/${event}-${at.epochMilliseconds}`, at, event, ...more };
}

/** The states in which checks found a site. */
function listStates(id: string, incident: Incident): FeedItem[] {
  let state: "down" | "degraded" = "down";
  const items = listChanges(incident).map(({ at, word }) => {
    if (word === "ended") return item(id, "recovered", at);
    if (word !== "reopened") state = word;
    return item(id, state, at);
  });
  // A site that fails again in another state has two changes at once.
  return [...new Map(items.map((one) => [one.id, one])).values()];
}

function listNotices(id: string, { start, end, updates }: ManualIncident): FeedItem[] {
  const isSaid = updates.some(({ phase }) => phase === "resolved");
  return [
    item(id, "opened", start),
    ...end === undefined || isSaid ? [] : [item(id, "closed", end)],
  ];
}

/** The steps of maintenance. No file says when it was planned or canceled, so the moment counts at which it is read first. */
function listSteps(
  id: string,
  incident: Maintenance,
  { time, before }: Pick<Known, "time" | "before">,
): FeedItem[] {
  const { source, start, until, end } = incident;
  // A clock was wrong.
  if (isCalledOff(incident) && source === "configuration") return [];
  const said = [...before.items.values()].filter((one) => one.id.startsWith(`${id}/planned-`))
    .map((one): FeedItem => ({ id: one.id, at: one.at, event: "planned", isFirstSeen: true }))
    .sort((one, other) => Temporal.Instant.compare(one.at, other.at));
  const plan = `${id}/planned-${start.epochMilliseconds}-${until.epochMilliseconds}`;
  const same = said.filter((one) => one.id === plan || one.id.startsWith(`${plan}-`));
  const planned: FeedItem = {
    // A window may be moved back.
    id: same.length === 0 ? plan : `${plan}-${same.length + 1}`,
    at: time,
    event: "planned",
    isFirstSeen: true,
  };
  const isNew = isBefore(time, start) && (said.length === 0 || same.at(-1) !== said.at(-1));
  const plans = end === undefined && isNew ? [...said, planned] : said;
  if (isCalledOff(incident)) {
    const canceled = item(id, "canceled", start, { isFirstSeen: true });
    const at = before.items.get(canceled.id)?.at ?? earliest(time, start);
    return [...plans, { ...canceled, at }];
  }
  return [
    ...plans,
    ...isBefore(time, start) ? [] : [item(id, "started", start)],
    ...end === undefined ? [] : [item(id, "completed", end)],
  ];
}

/** Comments of the same second get numbers. */
function withDistinctIds(items: readonly FeedItem[]): FeedItem[] {
  const used = new Map<string, number>();
  return items.map((one) => {
    const count = (used.get(one.id) ?? 0) + 1;
    used.set(one.id, count);
    return count === 1 ? one : { ...one, id: `${one.id}-${count}` };
  });
}
