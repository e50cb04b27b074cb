import type { Update } from "../history/yaml_file.ts";
import { isOfSite, listSlugs, type StoredIncident } from "../history/stored_incidents.ts";
import { currentReason } from "../incidents/plan_incident.ts";
import type { Report } from "../statistics/report/report.ts";
import { plainText } from "../text/plain_text.ts";
import { MINUTE } from "../time.ts";
import type { ListedIncident } from "./incidents.ts";

/** Incidents that are listed as one. */
export interface IncidentCard {
  /** In the order of the list; several if they are `alike`. */
  incidents: readonly [ListedIncident, ...ListedIncident[]];
  /** The reason that the incidents have in common; absent if there is only one. */
  alike?: "cause" | "error";
  /** Incidents that these have caused, also indirectly. */
  effects: readonly ListedIncident[];
}

/** Most milliseconds between the starts, and the ends, of incidents that share a card because of their error. */
const MOST_APART = 2 * MINUTE;

/**
 * Groups listed incidents into cards: effects join their cause if it is listed, and incidents share a card if they
 * have the same cause, or the same error and start, and end, at most two minutes apart; sites that others operate never
 * share one with own ones. A card has the place of its first incident.
 */
export function groupIntoCards(
  incidents: readonly ListedIncident[],
  { sites }: Pick<Report, "sites">,
): IncidentCard[] {
  const listed = new Map(incidents);
  const roots = new Map(incidents.map(([id]) => [id, findRoot(id, listed)]));
  const effects = Map.groupBy(
    incidents.filter(([id]) => roots.get(id) !== id),
    ([id]) => roots.get(id)!,
  );
  const own = incidents.filter(([id]) => roots.get(id) === id);
  const keys = keysOfErrors(own);
  const external = new Set(sites.flatMap(({ site }) => site.isExternal ? site.slug : []));
  const alike = Map.groupBy(own, ([id, incident]) => {
    const key = keyOfCause(incident) ?? keys.get(id) ?? id;
    return isOfSite(incident) && external.has(incident.slug) ? `external ${key}` : key;
  });
  return [...alike.values()].map((all): IncidentCard => {
    const [first, ...more] = all as [ListedIncident, ...ListedIncident[]];
    const caused = all.flatMap(([id]) => effects.get(id) ?? []);
    const card = { incidents: [first, ...more] as const, effects: caused };
    if (more.length === 0) return card;
    return { ...card, alike: keyOfCause(first[1]) === undefined ? "error" : "cause" };
  });
}

/** Lists the sites of a card's incidents, each once. */
export function listCardSlugs({ incidents }: Pick<IncidentCard, "incidents">): string[] {
  return [...new Set(incidents.flatMap(([, incident]) => listSlugs(incident)))];
}

/**
 * Lists what people wrote about the incidents of a card, the newest first: the text of a manual incident and all
 * updates. What was written in several issues with the same words is listed once.
 */
export function sortUpdates(incidents: readonly ListedIncident[]): Update[] {
  const all = incidents.flatMap(([, incident]): Update[] => [
    ...incident.kind === "manual" && incident.text.trim() !== ""
      ? [{ at: incident.start, text: incident.text }]
      : [],
    ...incident.updates,
  ]);
  const distinct = new Map(all.map((one) => [`${one.at} ${one.phase} ${one.text}`, one]));
  return [...distinct.values()]
    .sort((one, other) => Temporal.Instant.compare(one.at, other.at)).reverse();
}

/** Returns the error of an incident that its card shows: the present one while it is open. */
export function findShownError(incident: StoredIncident): string {
  if (!isOfSite(incident)) return "";
  return plainText(incident.end === undefined ? currentReason(incident).error : incident.error);
}

/** Follows the causes of an incident to the last one that is listed; a circle ends where it started. */
function findRoot(id: string, listed: ReadonlyMap<string, StoredIncident>): string {
  const seen = new Set<string>();
  for (let at = id;;) {
    seen.add(at);
    const incident = listed.get(at)!;
    const cause = isOfSite(incident) ? incident.cause : undefined;
    if (cause === undefined || !listed.has(cause)) return at;
    if (seen.has(cause)) return id;
    at = cause;
  }
}

/** A key that no id equals, because ids have no space. */
function keyOfCause(incident: StoredIncident): string | undefined {
  return isOfSite(incident) && incident.cause !== undefined ? `cause ${incident.cause}` : undefined;
}

/** A key for each incident without a cause that has an error, the same for those that are alike. */
function keysOfErrors(incidents: readonly ListedIncident[]): Map<string, string> {
  const failing = incidents.flatMap(([id, incident]) => {
    const error = findShownError(incident);
    if (!isOfSite(incident) || error === "" || incident.cause !== undefined) return [];
    const { kind, start, end } = incident;
    return [{ id, kind, error, start, end }];
  });
  const started = joinNear(failing, ({ kind, error, start }) => [`${kind} ${error}`, start]);
  // A row has one length, so its incidents lasted alike.
  const ended = joinNear(failing, ({ id, end }) => [started.get(id)!, end]);
  return new Map([...ended].map(([id, key]) => [id, `error ${key}`]));
}

/** A key for each thing, the same for those with the same text whose times are near; they may have none. */
function joinNear<T extends { id: string }>(
  things: readonly T[],
  describe: (thing: T) => [text: string, time: Temporal.Instant | undefined],
): Map<string, string> {
  const keys = new Map<string, string>();
  const described = things.map((thing) => {
    const [text, time] = describe(thing);
    return { id: thing.id, text, time: time?.epochMilliseconds ?? 0 };
  });
  for (const [text, same] of Map.groupBy(described, (one) => one.text)) {
    let first = -Infinity;
    for (const { id, time } of same.toSorted((one, other) => one.time - other.time)) {
      if (time - first > MOST_APART) first = time;
      keys.set(id, `${first} ${text}`);
    }
  }
  return keys;
}
