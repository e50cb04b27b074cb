import { PAGE_PATHS } from "../../lib/config/page_path.ts";
import { statusApiPath } from "../../lib/history/api_path.ts";
import { listSlugs, type StoredIncident } from "../../lib/history/stored_incidents.ts";
import { MOST_ENTRIES } from "../../lib/page/feed_dates.ts";
import { type FeedEntry, type FeedItem, listFeedItems } from "../../lib/page/feed_entries.ts";
import { createTags } from "../../lib/page/feed_ids.ts";
import type { FeedState } from "../../lib/page/feed_state.ts";
import { listGroups } from "../../lib/page/groups.ts";
import {
  isIncident,
  type ListedIncident,
  listOpenIncidents,
  sortNewestFirst,
  splitMaintenance,
} from "../../lib/page/incidents.ts";
import type { MaintenanceEvent } from "../../lib/page/maintenance_events.ts";
import { computeOverall } from "../../lib/page/overall.ts";
import { shortHash } from "../../lib/text/words.ts";
import { formatMoment, formatTime, isBefore } from "../../lib/time.ts";
import type { ItemTexts } from "../feeds/item_texts.ts";
import { describeOverall } from "../pages/describe_overall.tsx";
import type { View } from "../pages/view.ts";
import { keepLastState, listComponents } from "./components.ts";
import { findApiLink, toApiIncident, toApiMaintenance } from "./incidents.ts";
import { INDICATORS } from "./states.ts";

interface ApiSource {
  view: View;
  before: FeedState;
  events: readonly MaintenanceEvent[];
  texts: ItemTexts;
  redact(text: string): string;
}

/** Renders the files that clients of Atlassian Statuspage read, in the shape of version 2 of its API. */
export function* statusApiFiles(source: ApiSource): Generator<[path: string, content: string]> {
  const { view, texts, redact } = source;
  const { report, settings } = view;
  const page_id = shortHash(createTags(settings)("page"));
  const page = {
    id: page_id,
    name: redact(settings.name),
    url: findApiLink(settings, PAGE_PATHS.overview),
    time_zone: settings.timezone,
    updated_at: view.checks === undefined ? formatMoment(0) : formatTime(view.checks),
  };
  const components = listComponents(listGroups(report), view, { page_id, redact });
  const context = { view, components, texts, page_id, redact };
  const toIncidents = (listed: readonly ListedIncident[]) =>
    listed.flatMap((one) => toEntry(one, source).map((entry) => toApiIncident(entry, context)));
  const all = [...view.incidents].filter(([, one]) => isIncident(one));
  const incidents = toIncidents(sortNewestFirst(all).slice(0, MOST_ENTRIES));
  const unresolved = toIncidents(sortNewestFirst(listOpenIncidents(view.incidents, report)));
  const maintenance = listWindows(source).map((event) =>
    toApiMaintenance(event, toMaintenanceEntry(event, source), context)
  );
  const pick = (isPicked: (status: string) => boolean) =>
    maintenance.filter(({ status }) => isPicked(status));
  const upcoming = pick((status) => status === "scheduled").reverse();
  const active = pick((status) => status === "in_progress" || status === "verifying");
  const kept = { ...report, sites: report.sites.map(keepLastState) };
  const status = {
    indicator: INDICATORS[computeOverall(kept)],
    description: describeOverall(view).sentence,
  };
  const files = {
    status: { status },
    summary: {
      components,
      incidents: unresolved,
      scheduled_maintenances: [...active, ...upcoming],
      status,
    },
    components: { components },
    incidents: { incidents },
    "incidents/unresolved": { incidents: unresolved },
    "scheduled-maintenances": { scheduled_maintenances: maintenance },
    "scheduled-maintenances/upcoming": { scheduled_maintenances: upcoming },
    "scheduled-maintenances/active": { scheduled_maintenances: active },
  };
  for (const [name, content] of Object.entries(files)) {
    yield [statusApiPath(name), `${JSON.stringify({ page, ...content })}\n`];
  }
}

function toEntry(
  [id, incident]: ListedIncident,
  { view: { report: { time } }, before }: ApiSource,
): FeedEntry[] {
  const items = listFeedItems(id, incident, { time, before });
  return items.length === 0 ? [] : [{ id, incident, slugs: listSlugs(incident), items }];
}

/**
 * Lists windows, the latest first: those in progress and ahead, of those that repeat the next ones that the page lists,
 * and as many past ones as there is room for.
 */
function listWindows({ view: { incidents, report }, events }: ApiSource): MaintenanceEvent[] {
  const { maintenance, time } = report;
  const { ahead } = splitMaintenance(maintenance, incidents, time);
  const next = new Set(ahead.flatMap((series) => series.next.map(({ uid }) => uid)));
  const listed = events.filter(({ id, start, window }) =>
    window !== undefined && (!isBefore(time, start) || incidents.has(id) || next.has(id))
  ).toReversed();
  const isPast = ({ isCanceled, until }: MaintenanceEvent) => isCanceled || !isBefore(time, until);
  return listed.filter((event, index) => index < MOST_ENTRIES || !isPast(event));
}

function toMaintenanceEntry(
  { id, window, modified }: MaintenanceEvent,
  { view: { incidents, report }, before }: ApiSource,
): { incident: StoredIncident; items: FeedItem[] } {
  const incident = incidents.get(id) ?? { kind: "maintenance", ...window!, updates: [] };
  const items = listFeedItems(id, incident, { time: report.time, before })
    .filter(({ event }) => event !== "planned")
    .map((item) => item.isFirstSeen ? { ...item, at: modified } : item);
  return { incident, items };
}
