import { DAY } from "../time.ts";
import type { FeedEntry, FeedItem } from "./feed_entries.ts";
import type { FeedState, SaidItem, SaidWords } from "./feed_state.ts";

/** Most milliseconds that an item may be older than the newest one and still be news, such as a comment that was read late. */
const LATEST = DAY;

/**
 * Dates the items of all entries, in milliseconds since 1970 and whole seconds, by id. A date never changes once it was
 * published, no two are equal, and a new item is never dated before one that was published: it is dated after the newest
 * instead. Without a date are items that are too old to be news. What a wrong clock dated after `time`, that of the last
 * check, is dated at it.
 */
export function dateItems(
  entries: readonly Pick<FeedEntry, "items">[],
  { before, time }: { before: Pick<FeedState, "items">; time: Temporal.Instant },
): Map<string, number> {
  const now = time.epochMilliseconds;
  const said = [...before.items.values()].map(({ at }) => at.epochMilliseconds);
  const newest = said.reduce((one, other) => Math.max(one, other), -Infinity);
  const dates = new Map<string, number>();
  const fresh: FeedItem[] = [];
  for (const { items } of entries) {
    for (const item of items) {
      const date = before.items.get(item.id)?.at.epochMilliseconds;
      if (date !== undefined) dates.set(item.id, date);
      else if (item.at.epochMilliseconds > Math.min(newest, now) - LATEST) fresh.push(item);
    }
  }
  let last = newest;
  for (const { id, at } of fresh.sort(compareItems)) {
    last = Math.max(floorToSecond(Math.min(at.epochMilliseconds, now)), last + 1000);
    dates.set(id, last);
  }
  return dates;
}

function compareItems(one: FeedItem, other: FeedItem): number {
  return one.at.epochMilliseconds - other.at.epochMilliseconds || (one.id < other.id ? -1 : 1);
}

function floorToSecond(moment: number): number {
  return Math.floor(moment / 1000) * 1000;
}

/** Most entries, or items, of a feed. */
export const MOST_ENTRIES = 50;

/** An entry of a feed with the dates of its items, in milliseconds since 1970. */
export interface DatedEntry extends FeedEntry {
  published: number;
  updated: number;
}

export interface DatedItem extends FeedItem {
  entry: FeedEntry;
  date: number;
}

/** Adds to each entry when it was published and updated, the latest update first. */
export function dateEntries(
  entries: readonly FeedEntry[],
  dates: ReadonlyMap<string, number>,
): DatedEntry[] {
  return entries.map((entry): DatedEntry => {
    const all = entry.items.map(({ id, at }) =>
      dates.get(id) ?? floorToSecond(at.epochMilliseconds)
    );
    const items = entry.items.map((item, index) =>
      item.isFirstSeen ? { ...item, at: Temporal.Instant.fromEpochMilliseconds(all[index]!) } : item
    );
    return { ...entry, items, published: Math.min(...all), updated: Math.max(...all) };
  }).sort(compareEntries);
}

/** The newest items with a date of the newest entries: none of another entry can be newer. The newest is first. */
export function listNewestItems(
  entries: readonly DatedEntry[],
  dates: ReadonlyMap<string, number>,
): DatedItem[] {
  return entries.flatMap((entry) =>
    entry.items.flatMap((item): DatedItem[] => {
      const date = dates.get(item.id);
      return date === undefined ? [] : [{ ...item, entry, date }];
    })
  ).sort((one, other) => other.date - one.date).slice(0, MOST_ENTRIES);
}

/**
 * Lists what the next build has to know of items: those of entries in feeds, and all that would be news again otherwise,
 * which are those of the last day, and plans of what is ahead. `wordsOf` returns the words of an item if they have to
 * stay.
 */
export function keepItems(
  entries: readonly DatedEntry[],
  dates: ReadonlyMap<string, number>,
  { isListed, wordsOf }: {
    isListed(entry: DatedEntry): boolean;
    wordsOf(item: FeedItem, entry: DatedEntry): SaidWords | undefined;
  },
): Map<string, SaidItem> {
  const newest = Math.max(-Infinity, ...entries.slice(0, 1).map(({ updated }) => updated));
  const kept = entries.flatMap((entry) =>
    entry.items.flatMap((item): SaidItem[] => {
      const date = dates.get(item.id);
      if (date === undefined) return [];
      const isAhead = item.isFirstSeen && entry.incident.start.epochMilliseconds > newest - LATEST;
      if (!isListed(entry) && !isAhead && date <= newest - LATEST) return [];
      const at = Temporal.Instant.fromEpochMilliseconds(date);
      return [{ id: item.id, at, words: wordsOf(item, entry) }];
    })
  );
  return new Map(kept.map((one) => [one.id, one]));
}

/** Returns the entries of some sites in their order, given those of each site. */
export function mergeEntries(
  bySite: ReadonlyMap<string, readonly DatedEntry[]>,
  slugs: Iterable<string>,
): DatedEntry[] {
  const own = [...slugs].flatMap((slug) => bySite.get(slug)?.slice(0, MOST_ENTRIES) ?? []);
  return [...new Set(own)].sort(compareEntries);
}

function compareEntries(one: DatedEntry, other: DatedEntry): number {
  return other.updated - one.updated || (one.id < other.id ? 1 : -1);
}
