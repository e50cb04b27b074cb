import {
  besidePage,
  incidentPagePath,
  PAGE_PATHS,
  windowCalendarPath,
} from "../../lib/config/page_path.ts";
import {
  type DatedEntry,
  type DatedItem,
  dateEntries,
  dateItems,
  keepItems,
  listNewestItems,
  mergeEntries,
  MOST_ENTRIES,
} from "../../lib/page/feed_dates.ts";
import { type FeedEntry, type FeedItem, listFeedEntries } from "../../lib/page/feed_entries.ts";
import { createTags } from "../../lib/page/feed_ids.ts";
import { type FeedState, formatFeedState } from "../../lib/page/feed_state.ts";
import { splitMaintenance } from "../../lib/page/incidents.ts";
import { listMaintenanceEvents, type MaintenanceEvent } from "../../lib/page/maintenance_events.ts";
import { findMonitoringStart } from "../../lib/page/monitored.ts";
import { floorToDay } from "../../lib/time.ts";
import { ENGLISH } from "../../lib/text/english.ts";
import { createLanguage } from "../pages/language.ts";
import { describeIncident } from "../pages/incident_words.ts";
import { describeSite, type View } from "../pages/view.ts";
import { statusApiFiles } from "../status_api/mod.ts";
import { renderAtom } from "./atom.ts";
import { renderCalendar } from "./calendar.ts";
import { toCalendarEvent } from "./calendar_events.ts";
import { type Feed, findAddress } from "./feed.ts";
import { createItemTexts, type ItemTexts } from "./item_texts.ts";
import { renderJsonFeed } from "./json_feed.ts";
import { type FeedPlace, listFeedPlaces } from "./places.ts";
import { renderRss } from "./rss.ts";

/** The data of feeds; `before` is the content of those of the page before. */
interface FeedSource {
  view: View;
  before: FeedState;
  redact(text: string): string;
}

/**
 * Renders the feeds and calendars of the overview, of groups and of sites, the files of the status API, and what all of
 * them say for the next build.
 */
export function* feedFiles(source: FeedSource): Generator<[path: string, content: string]> {
  const { view, before } = source;
  const { report: { sites, time, maintenance }, incidents } = view;
  const known = { incidents, maintenance, repeated: view.repeated, time, before };
  const listed = listFeedEntries(known);
  const dates = dateItems(listed, known);
  const entries = dateEntries(listed, dates);
  const slugs = new Set(sites.map(({ site }) => site.slug));
  const events = listMaintenanceEvents({ ...known, sites: slugs });
  const texts = createItemTexts(source);
  yield* englishApiFiles({ ...source, events, texts });
  const bySite = groupBySlug(entries);
  const [inFeeds, inRss] = [new Set<DatedEntry>(), new Set<string>()];
  for (const place of listFeedPlaces(view)) {
    const isOfPlace = (one: { slugs: readonly string[] }) =>
      place.slugs === undefined || one.slugs.some((slug) => place.slugs!.has(slug));
    const own = place.slugs === undefined ? entries : mergeEntries(bySite, place.slugs);
    const newest = own.slice(0, MOST_ENTRIES);
    const items = listNewestItems(newest, dates);
    for (const entry of newest) inFeeds.add(entry);
    for (const { id } of items) inRss.add(id);
    const feed = toFeed(place, { entries: newest, items, texts }, source);
    const inFolder = (file: string) => besidePage(place.page, file);
    yield [inFolder(PAGE_PATHS.atom), renderAtom(feed)];
    yield [inFolder(PAGE_PATHS.rss), renderRss(feed)];
    yield [inFolder(PAGE_PATHS.jsonFeed), renderJsonFeed(feed)];
    yield [inFolder(PAGE_PATHS.calendar), toCalendar(events.filter(isOfPlace), feed.title, source)];
  }
  const planned = splitMaintenance(maintenance, incidents, time);
  for (const { uid } of [...planned.going, ...planned.ahead.flatMap(({ next }) => next)]) {
    const own = events.filter(({ id }) => id === uid);
    yield [windowCalendarPath(uid), toCalendar(own, nameFeed({}, source), source)];
  }
  const windows = events.map(({ window: _, hasPage: __, ...one }) => [one.id, one] as const);
  const items = keepItems(entries, dates, {
    isListed: (entry) => inFeeds.has(entry),
    wordsOf: (item, entry) =>
      inRss.has(item.id) || item.event === "planned"
        ? { ...texts.said(item, entry), slugs: entry.slugs }
        : undefined,
  });
  yield [PAGE_PATHS.feedState, formatFeedState({ items, windows: new Map(windows) })];
}

/** The status API is in English: programs read it. Own words for an English page are kept. */
function englishApiFiles(source: FeedSource & { events: MaintenanceEvent[]; texts: ItemTexts }) {
  const { view } = source;
  if (view.language.base.locale.language === "en") return statusApiFiles(source);
  const language = createLanguage(ENGLISH, "en", view.settings.timezone);
  const english = { ...source, view: { ...view, language } };
  return statusApiFiles({ ...english, texts: createItemTexts(english) });
}

function groupBySlug(entries: readonly DatedEntry[]): Map<string, DatedEntry[]> {
  const bySlug = new Map<string, DatedEntry[]>();
  for (const entry of entries) {
    for (const slug of new Set(entry.slugs)) bySlug.getOrInsert(slug, []).push(entry);
  }
  return bySlug;
}

function nameFeed({ name }: Pick<FeedPlace, "name">, { view, redact }: FeedSource): string {
  const { settings } = view;
  return redact(name === undefined ? settings.name : `${name} – ${settings.name}`);
}

function toFeed(
  place: FeedPlace,
  { entries, items, texts }: {
    entries: readonly DatedEntry[];
    items: readonly DatedItem[];
    texts: ItemTexts;
  },
  source: FeedSource,
): Feed {
  const { view, redact } = source;
  const { report, language, settings } = view;
  const { page, name = settings.name } = place;
  const tag = createTags(settings);
  const addressOf = (target: string) => findAddress(settings, page, target);
  const [newest] = entries;
  return {
    id: tag(besidePage(page, "feed")),
    title: nameFeed(place, source),
    about: redact(language.say("feedAbout", { NAME: name })),
    author: redact(settings.name),
    lang: settings.lang,
    home: addressOf(page),
    self: (file) => addressOf(besidePage(page, file)),
    entries: entries.map((entry) => ({
      id: tag(`incident/${entry.id}`),
      title: redact(describeIncident(entry.incident, view).title),
      html: texts.whole(entry),
      link: addressOf(findPage(entry, view)),
      published: entry.published,
      updated: entry.updated,
      tags: entry.slugs.map((slug) => redact(describeSite(slug, report))),
    })),
    items: items.map(({ entry, date, ...item }) => ({
      id: tag(`incident/${item.id}`),
      ...texts.said(item, entry),
      link: `${addressOf(findItemPage(item, entry))}#${toFragment(item)}`,
      published: date,
    })),
    updated: newest?.updated ?? floorToDay(findMonitoringStart(report.sites) ?? 0),
  };
}

/** The page of an incident; of a window without a file, that of all maintenance. */
function findPage({ id }: Pick<FeedEntry, "id">, { incidents }: Pick<View, "incidents">): string {
  return incidents.has(id) ? incidentPagePath(id) : PAGE_PATHS.maintenance;
}

/** The same page from the first to the last build: windows of the configuration have no file before they start. */
function findItemPage({ event }: Pick<FeedItem, "event">, { id, incident }: FeedEntry): string {
  const isOfPlan = event === "planned" && incident.kind === "maintenance" &&
    incident.source === "configuration";
  return isOfPlan ? PAGE_PATHS.maintenance : incidentPagePath(id);
}

/** Makes the links of all items different, because some readers take items with one link for one. */
function toFragment({ id }: Pick<FeedItem, "id">): string {
  return id.slice(id.indexOf("/") + 1);
}

function toCalendar(
  events: readonly MaintenanceEvent[],
  title: string,
  { view, redact }: FeedSource,
): string {
  const { settings } = view;
  const tag = createTags(settings);
  const page = (event: MaintenanceEvent) =>
    event.hasPage ? incidentPagePath(event.id) : PAGE_PATHS.maintenance;
  const linkTo = (event: MaintenanceEvent) =>
    settings.address === undefined
      ? undefined
      : findAddress(settings, PAGE_PATHS.overview, page(event));
  return renderCalendar({
    title,
    lang: settings.lang,
    events: events.map((event) =>
      toCalendarEvent(event, { view, tag, link: linkTo(event), redact })
    ),
  });
}
