import type { Config } from "../config/config.ts";
import type { Notification } from "../config/channels/keys.ts";
import { SITE_NEWS, type SiteNews } from "./message.ts";
import { shortHash } from "../text/short_hash.ts";

/** A channel as the plan of messages knows it; all lengths of time in milliseconds. */
export interface ListeningChannel {
  /** What memory and outbox know it by: made of its type and destination, and therefore the same as long as they are. */
  key: string;
  /** As configured: of several listings of one channel, the first. */
  notification: Notification;
  /** The least between two messages. */
  minInterval: number;
  /** True if it can be sent only one event at a time, whatever it is configured to. */
  takesOne: boolean;
  /** Whether what a run tells becomes one message. */
  grouped: boolean;
  /** How long what follows a message is put together into one more; 0 where it is not. */
  groupInterval: number;
  /** How long after it was told that a site is down that is told again, and so on; the last repeats. */
  reminders: readonly number[];
  /** What it is told of a site; nothing where it does not hear of it. */
  hears(slug: string): readonly SiteNews[];
  /** False if all of its listings have an empty `on`. */
  hearsAnything: boolean;
  /** True if nothing can be sent to it with its settings in this run; its messages wait. */
  isUnsendable?: true;
  /** Whether it hears everything of a site because a listing of it does not say what in `on`. */
  hearsAll(slug: string): boolean;
}

/** What channels are configured by. */
export interface Listings {
  notifications: readonly Notification[];
  sites: readonly Pick<Config["sites"][number], "slug" | "notifications">[];
}

/** Where a notification leads, secrets by their names: two of a type that agree in it are one channel. */
export type DestinationOf = (notification: Notification) => string;

/** True if a notification can be sent only one event at a time. */
export type TakesOne = (notification: Notification) => boolean;

/**
 * The channels of a configuration, each once. One that is listed several times hears of every site it is
 * listed for. What its listing at a site says in `on` counts there, before what the one for all sites
 * says; everything else is said by the first listing, those for all sites before those of single ones.
 */
export function listeningChannels(
  { notifications, sites }: Listings,
  destinationOf: DestinationOf,
  takesOne: TakesOne = () => false,
): ListeningChannel[] {
  const listings: Listing[] = [
    ...notifications.map((notification) => ({ notification })),
    ...sites.flatMap(({ slug, notifications }) =>
      notifications.map((notification) => ({ notification, slug }))
    ),
  ];
  const configured = new Set(sites.map(({ slug }) => slug));
  const byKey = Map.groupBy(
    listings,
    ({ notification }) => channelKey(notification, destinationOf),
  );
  return [...byKey].map(([key, own]) => channelOf(key, own, { configured, takesOne }));
}

/** The notifications of channels, by what memory and outbox know them by. */
export function channelsByKey(channels: readonly ListeningChannel[]): Map<string, Notification> {
  return new Map(channels.map(({ key, notification }) => [key, notification]));
}

/** A notification, and the site it is listed at; absent where it is for all of them. */
interface Listing {
  notification: Notification;
  slug?: string;
}

/** What memory and outbox know a channel by. */
export function channelKey(notification: Notification, destinationOf: DestinationOf): string {
  return shortHash(`${notification.type}\n${destinationOf(notification)}`);
}

function channelOf(
  key: string,
  listings: readonly Listing[],
  { configured, takesOne }: { configured: ReadonlySet<string>; takesOne: TakesOne },
): ListeningChannel {
  const { notification } = listings[0]!;
  const bySlug = Map.groupBy(listings, ({ slug }) => slug);
  // What was told of a site that is no longer configured comes to its end wherever it was told.
  const listingsOf = (slug: string) =>
    configured.has(slug) ? bySlug.get(slug) ?? bySlug.get(undefined) ?? [] : listings;
  return {
    key,
    notification,
    minInterval: 1000 * (notification["min-interval"] ?? 0),
    takesOne: takesOne(notification),
    grouped: notification["group-notifications"] ?? false,
    groupInterval: 1000 * (notification["group-interval"] ?? 0),
    reminders: notification.reminders ?? [],
    hears: (slug) => newsOf(listingsOf(slug)),
    hearsAnything: listings.some(({ notification: { on } }) => on === undefined || on.length > 0),
    hearsAll: (slug) => listingsOf(slug).some(({ notification: { on } }) => on === undefined),
  };
}

/** What listings say in `on`, taken together; one that says nothing hears everything. */
function newsOf(listings: readonly Listing[]): SiteNews[] {
  const wanted = new Set(listings.flatMap(({ notification }) => notification.on ?? SITE_NEWS));
  return SITE_NEWS.filter((news) => wanted.has(news));
}
