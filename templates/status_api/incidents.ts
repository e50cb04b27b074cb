import { incidentPagePath, PAGE_PATHS, toFileAddress } from "../../lib/config/page_path.ts";
import { computeStage, type StoredIncident } from "../../lib/history/stored_incidents.ts";
import type { FeedEntry, FeedItem } from "../../lib/page/feed_entries.ts";
import type { MaintenanceEvent } from "../../lib/page/maintenance_events.ts";
import type { PageSettings } from "../../lib/page/settings.ts";
import { shortHash } from "../../lib/text/words.ts";
import { formatTime, isBefore, latest } from "../../lib/time.ts";
import type { ItemTexts } from "../feeds/item_texts.ts";
import { describeIncident } from "../pages/incident_words.ts";
import type { View } from "../pages/view.ts";
import { type Component, toComponentId } from "./components.ts";
import {
  type IncidentStatus,
  STATES_OF_EVENTS,
  toIncidentImpact,
  toMaintenanceStatus,
  toPhase,
} from "./states.ts";

/** The page that incidents belong to, and the words of their updates. */
interface IncidentContext {
  view: View;
  components: readonly Component[];
  texts: ItemTexts;
  page_id: string;
  redact(text: string): string;
}

/** Describes an incident with the keys of Statuspage's. */
export function toApiIncident(entry: FeedEntry, context: IncidentContext) {
  const { incident, items } = entry;
  const isOver = computeStage(incident, context.view.report.time) === "over";
  const phases = items.map((item, index) => findPhase(item, items.slice(0, index + 1)));
  const last = phases.at(-1)!;
  const isClosed = last === "resolved" || last === "postmortem";
  const open = isClosed ? "monitoring" : last;
  return {
    ...describe(entry, context),
    status: isOver ? (last === "postmortem" ? last : "resolved") : open,
    started_at: formatTime(incident.start),
    created_at: formatTime(incident.start),
    updated_at: formatTime(latest(...items.map(({ at }) => at))),
    monitoring_at: findFirst(items, phases, "monitoring"),
    resolved_at: isOver ? formatTime(incident.end!) : null,
    incident_updates: items.map((item, index) => toUpdate(item, phases[index]!, { entry, context }))
      .reverse(),
  };
}

/** Describes a maintenance window with the keys of Statuspage's scheduled maintenance; `items` are without its plan. */
export function toApiMaintenance(
  { id, slugs, window, start, until, created, modified }: MaintenanceEvent,
  { incident, items }: { incident: StoredIncident; items: readonly FeedItem[] },
  context: IncidentContext,
) {
  const { time } = context.view.report;
  const planned: FeedItem = { id: `${id}/planned`, at: created, event: "planned" };
  const entry: FeedEntry = { id, incident, slugs, items: [planned, ...items] };
  const statusAt = (at: Temporal.Instant, seen: readonly FeedItem[]) =>
    toMaintenanceStatus(isBefore(at, start), listUpdates(seen));
  const statuses = entry.items.map(({ event, at }, index) => {
    if (event === "completed" || event === "canceled") return "completed";
    return event === "planned" ? "scheduled" : statusAt(at, entry.items.slice(0, index + 1));
  });
  const isOver = computeStage(incident, time) === "over";
  return {
    ...describe(entry, context),
    status: isOver ? "completed" : statusAt(time, entry.items),
    scheduled_for: formatTime(start),
    scheduled_until: formatTime(window?.until ?? until),
    started_at: formatTime(start),
    created_at: formatTime(created),
    updated_at: formatTime(latest(modified, ...items.map(({ at }) => at))),
    monitoring_at: findFirst(entry.items, statuses, "verifying"),
    resolved_at: findFirst(entry.items, statuses, "completed"),
    incident_updates: entry.items.map((item, index) =>
      toUpdate(item, statuses[index]!, { entry, context })
    ).reverse(),
  };
}

/** The keys that incidents and maintenance share. */
function describe(
  { id, incident, slugs }: FeedEntry,
  { view, components, page_id, redact }: IncidentContext,
) {
  const target = view.incidents.has(id) ? incidentPagePath(id) : PAGE_PATHS.maintenance;
  const ids = new Set(slugs.map(toComponentId));
  return {
    id: toIncidentId(id),
    name: redact(describeIncident(incident, view).title),
    impact: toIncidentImpact(incident),
    shortlink: findApiLink(view.settings, target),
    page_id,
    components: components.filter((one) => ids.has(one.id)),
  };
}

/** The address of a page; its path if the address of the status page is not known. */
export function findApiLink({ address }: Pick<PageSettings, "address">, path: string): string {
  return address === undefined ? path : toFileAddress(address, path);
}

function toIncidentId(id: string): string {
  return shortHash(`incident ${id}`);
}

function listUpdates(items: readonly FeedItem[]) {
  return items.flatMap(({ update }) => update ?? []);
}

/** The phase of an incident after the last of some items. */
function findPhase({ event }: FeedItem, seen: readonly FeedItem[]): IncidentStatus {
  if (event === "recovered" || event === "closed") return "resolved";
  const phase = toPhase(listUpdates(seen));
  const isNew = event !== "update" && (phase === "resolved" || phase === "postmortem");
  return isNew ? "investigating" : phase;
}

function findFirst(
  items: readonly FeedItem[],
  statuses: readonly IncidentStatus[],
  status: IncidentStatus,
): string | null {
  const index = statuses.indexOf(status);
  return index === -1 ? null : formatTime(items[index]!.at);
}

function toUpdate(
  item: FeedItem,
  status: IncidentStatus,
  { entry, context }: { entry: FeedEntry; context: IncidentContext },
) {
  const time = formatTime(item.at);
  return {
    id: shortHash(`update ${item.id}`),
    status,
    body: context.texts.plain(item, entry),
    incident_id: toIncidentId(entry.id),
    created_at: time,
    updated_at: time,
    display_at: time,
    affected_components: listAffected(item, entry, context),
    deliver_notifications: true,
    custom_tweet: null,
    tweet_id: null,
  };
}

/** The change of a site that checks found; of other updates none is known. */
function listAffected(
  item: FeedItem,
  { slugs, items }: FeedEntry,
  { components }: IncidentContext,
) {
  const state = STATES_OF_EVENTS[item.event];
  const component = components.find(({ id }) => id === toComponentId(slugs[0] ?? ""));
  if (state === undefined || component === undefined) return null;
  const before = items.slice(0, items.indexOf(item)).findLast(({ event }) =>
    STATES_OF_EVENTS[event] !== undefined
  );
  return [{
    code: component.id,
    name: component.name,
    old_status: before === undefined ? "operational" : STATES_OF_EVENTS[before.event]!,
    new_status: state,
  }];
}
