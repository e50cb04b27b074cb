import type { Notification } from "../config/channels/keys.ts";
import { describeDestination, isSentPerEvent } from "../config/channels/kinds.ts";
import type { Config } from "../config/config.ts";
import { upptimeChannels } from "../config/upptime/channels.ts";
import type { Secrets } from "../io/secrets/secrets.ts";
import { shortHash } from "../text/words.ts";
import { EVENT_KINDS, type EventKind } from "./message.ts";

/** A channel with the events that it wants; durations in milliseconds. */
export interface Subscriber {
  /** Identifies the channel in run state and outbox: a hash of its type and destination. */
  key: string;
  /** Its first listing in the configuration. */
  notification: Notification;
  /** Minimum time between two messages. */
  minInterval: number;
  /** True if it can be sent only one event at a time, whatever it is configured to. */
  takesOne: boolean;
  /** True if all events of a run become one message. */
  grouped: boolean;
  /** Time in which the events after a message are collected for the next; 0 for none. */
  groupInterval: number;
  /** Delays of reminders after the last message about an outage; the last one repeats. */
  reminders: readonly number[];
  wants(slug: string): readonly EventKind[];
  /** False if all of its listings have an empty `on`. */
  wantsAnything: boolean;
  /** True if it wants all events of a site because a listing has no `on`. */
  wantsAll(slug: string): boolean;
  /** True if nothing can be sent to it with its settings in this run; its messages wait. */
  isUnsendable?: true;
}

interface ChannelSettings {
  notifications: readonly Notification[];
  sites: readonly Pick<Config["sites"][number], "slug" | "notifications">[];
}

/** The channels of a configuration, including those that secrets alone set up. */
export function findSubscribers(
  { notifications, sites }: ChannelSettings,
  secrets: Secrets,
): Subscriber[] {
  const others = upptimeChannels((name) => secrets.value(name) ?? "");
  return toSubscribers({ notifications: [...notifications, ...others], sites });
}

/**
 * The channels of a configuration, each once: equal destinations of a type are one channel. One that is
 * listed several times is notified of every site it is listed for. The `on` of its listing at a site counts
 * there, instead of the one for all sites; everything else is as in the first listing, those for all sites
 * before those of single ones.
 */
export function toSubscribers({ notifications, sites }: ChannelSettings): Subscriber[] {
  const listings: Listing[] = [
    ...notifications.map((notification) => ({ notification })),
    ...sites.flatMap(({ slug, notifications }) =>
      notifications.map((notification) => ({ notification, slug }))
    ),
  ];
  const configured = new Set(sites.map(({ slug }) => slug));
  const byKey = Map.groupBy(
    listings,
    ({ notification }) => shortHash(`${notification.type}\n${describeDestination(notification)}`),
  );
  return [...byKey].map(([key, own]) => toSubscriber(key, own, configured));
}

export function channelsByKey(channels: readonly Subscriber[]): Map<string, Notification> {
  return new Map(channels.map(({ key, notification }) => [key, notification]));
}

/** A notification, and the slug of the site that lists it; absent if it is listed for all. */
interface Listing {
  notification: Notification;
  slug?: string;
}

function toSubscriber(
  key: string,
  listings: readonly Listing[],
  configured: ReadonlySet<string>,
): Subscriber {
  const { notification } = listings[0]!;
  const bySlug = Map.groupBy(listings, ({ slug }) => slug);
  // The end of a removed site goes to every channel that was notified of its outage.
  const onOf = (slug: string) =>
    (configured.has(slug) ? bySlug.get(slug) ?? bySlug.get(undefined) ?? [] : listings)
      .map(({ notification: { on } }) => on);
  return {
    key,
    notification,
    minInterval: 1000 * (notification["min-interval"] ?? 0),
    takesOne: isSentPerEvent(notification),
    grouped: notification["group-notifications"] ?? false,
    groupInterval: 1000 * (notification["group-interval"] ?? 0),
    reminders: notification.reminders ?? [],
    wants: (slug) => {
      const wanted = new Set(onOf(slug).flatMap((on) => on ?? EVENT_KINDS));
      return EVENT_KINDS.filter((kind) => wanted.has(kind));
    },
    wantsAnything: listings.some(({ notification: { on } }) => on === undefined || on.length > 0),
    wantsAll: (slug) => onOf(slug).includes(undefined),
  };
}
