import { type Notification, type QuietHours, USUAL_EVENTS } from "../config/channels/keys.ts";
import { isRouted } from "../config/channels/routes.ts";
import {
  describeDestination,
  endsSilently,
  isEmergency,
  isPayloadKey,
  isSentPerEvent,
} from "../config/channels/kinds.ts";
import type { Site } from "../config/config.ts";
import { upptimeChannels } from "../config/upptime/channels.ts";
import type { Secrets } from "../io/secrets/secrets.ts";
import { shortHash } from "../text/words.ts";
import {
  EVENT_KINDS,
  type EventKind,
  isCritical,
  isOutage,
  NOTICE_TOPICS,
  type NoticeTopic,
  type Outage,
} from "./message.ts";

/** A channel with the events that it wants; durations in milliseconds. */
export interface Subscriber {
  /** Identifies the channel in run state and outbox: a hash of its type and destination. */
  key: string;
  /** Its first listing in the configuration. */
  notification: Notification;
  minInterval: number;
  /** True if it can be sent only one event at a time, whatever it is configured to. */
  takesOne: boolean;
  /** True if all events of a run become one message, false if none do; absent if only many alike do. */
  grouped?: boolean;
  /** Events for which it opens an alert at its vendor, which lasts until it is ended there: all, or critical outages. */
  alerts?: "all" | "emergencies";
  /** True if people read it in a chat or by mail, and it wakes nobody. */
  isChat: boolean;
  /** True if a listing takes notices that are no outages. */
  wantsWarnings: boolean;
  /** Time after a message in which events wait for the next one; 0 if none do. */
  groupInterval: number;
  /** Delays of reminders after the last message about an outage; the last one repeats. */
  reminders: readonly number[];
  wants(slug: string): readonly EventKind[];
  /** True if it is listed for a site, whatever its events. */
  covers(slug: string): boolean;
  wantsEnds: boolean;
  /** Topics of the notices about a site that it wants; of all sites together without a slug. */
  topics(slug?: string): readonly NoticeTopic[];
  /** Time from the start of an incident to its first message; 0 if that is sent at once. */
  delay(slug: string, kind: Outage): number;
  /** The same for a notice, which may be about a site. */
  noticeDelay(slug?: string): number;
  /** In the configured time zone. */
  quiet?: QuietHours;
  /** False if all of its listings have an empty `on`. */
  wantsAnything: boolean;
  /** True if it wants {@linkcode USUAL_EVENTS} of a site because a listing has no `on`. */
  lacksOn(slug: string): boolean;
  /** True if nothing can be sent to it with its settings in this run; its messages wait. */
  isUnsendable?: true;
}

type ChannelSite = Pick<Site, "name" | "slug" | "group" | "tags" | "severity" | "notifications">;

interface ChannelSettings {
  notifications: readonly Notification[];
  sites: readonly ChannelSite[];
  /** Time zone of quiet hours without their own. */
  timezone?: string;
}

/** The channels of a configuration, including those that secrets alone set up. */
export function findSubscribers(
  { notifications, ...settings }: ChannelSettings,
  secrets: Secrets,
): Subscriber[] {
  const others = upptimeChannels((name) => secrets.value(name) ?? "");
  return toSubscribers({ ...settings, notifications: [...notifications, ...others] });
}

/**
 * The channels of a configuration, each once: equal destinations of a type are one channel. One that is
 * listed several times is notified of every site it is listed for. What its listing at a site says of events
 * and their delay counts there, instead of the listings for all sites; everything else is as in the first
 * listing, those for all sites before those of single ones.
 */
export function toSubscribers({ notifications, sites, timezone }: ChannelSettings): Subscriber[] {
  const listings: Listing[] = [
    ...notifications.map((notification) => ({ notification })),
    ...sites.flatMap(({ slug, notifications }) =>
      notifications.map((notification) => ({ notification, slug }))
    ),
  ];
  const bySlug = new Map(sites.map((site) => [site.slug, site]));
  const byKey = Map.groupBy(
    listings,
    ({ notification }) => shortHash(`${notification.type}\n${describeDestination(notification)}`),
  );
  return [...byKey].map(([key, own]) => toSubscriber(key, own, { sites: bySlug, timezone }));
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
  { sites, timezone }: { sites: ReadonlyMap<string, ChannelSite>; timezone?: string },
): Subscriber {
  const { notification, notification: { quiet, "group-notifications": grouped } } = listings[0]!;
  const alerts = endsSilently(notification)
    ? "all"
    : isEmergency(notification)
    ? "emergencies"
    : undefined;
  const bySlug = Map.groupBy(listings, ({ slug }) => slug);
  const listingsFor = (slug?: string): Notification[] => {
    const site = sites.get(slug ?? "");
    const own = slug === undefined ? undefined : bySlug.get(slug);
    // The end of a removed site goes to every channel that was notified of its outage.
    if (site === undefined || own !== undefined) {
      return (own ?? listings).map(({ notification }) => notification);
    }
    return (bySlug.get(undefined) ?? []).map(({ notification }) => notification)
      .filter((notification) => isRouted(notification, site));
  };
  const kindsOf = (notification: Notification, slug: string) =>
    listKinds(notification, sites.get(slug)?.severity);
  return {
    key,
    notification,
    minInterval: 1000 * (notification["min-interval"] ?? 0),
    takesOne: isSentPerEvent(notification),
    ...grouped === undefined ? {} : { grouped },
    ...alerts === undefined ? {} : { alerts },
    isChat: alerts === undefined && notification.type !== "twilio",
    wantsWarnings: listings.some(({ notification }) => findSeverity(notification) !== "critical"),
    groupInterval: 1000 * (notification["group-interval"] ?? 0),
    reminders: notification.reminders ?? [],
    ...quiet === undefined ? {} : { quiet: { timezone, ...quiet } },
    wants: (slug) => {
      const wanted = new Set(listingsFor(slug).flatMap((one) => kindsOf(one, slug)));
      return EVENT_KINDS.filter((kind) => wanted.has(kind));
    },
    covers: (slug) => listingsFor(slug).length > 0,
    wantsEnds: listings.some(({ notification: { on } }) => on?.includes("up") ?? true),
    topics: (slug) => {
      const wanted = new Set(listingsFor(slug).flatMap(listTopics));
      return NOTICE_TOPICS.filter((topic) => wanted.has(topic));
    },
    delay: (slug, kind) =>
      findDelay(listingsFor(slug).filter((one) => kindsOf(one, slug).includes(kind))),
    noticeDelay: (slug) => findDelay(listingsFor(slug)),
    wantsAnything: listings.some(({ notification: { on } }) => on === undefined || on.length > 0),
    lacksOn: (slug) =>
      listingsFor(slug).some((one) => one.on === undefined && findSeverity(one) === undefined),
  };
}

function findDelay(listings: readonly Notification[]): number {
  return listings.length === 0 ? 0 : Math.min(...listings.map(({ after = 0 }) => after));
}

/** The severity of the outages that a listing takes; `undefined` if it takes all. */
export function findSeverity(
  { type, severity }: Pick<Notification, "type" | "severity">,
): "critical" | "warning" | undefined {
  if (isPayloadKey(type, "severity")) return undefined;
  return severity === "critical" || severity === "warning" ? severity : undefined;
}

/** The topics of notices that a listing asks for: all are warnings. */
function listTopics(notification: Notification): readonly NoticeTopic[] {
  if (findSeverity(notification) === "critical") return [];
  const events: readonly string[] = notification.on ?? USUAL_EVENTS;
  return NOTICE_TOPICS.filter((topic) => events.includes(topic));
}

/** The events of a site that a listing asks for; with `severity` only those of outages that have it. */
function listKinds(
  notification: Notification,
  ofSite: Site["severity"] | undefined,
): readonly EventKind[] {
  const { on } = notification;
  const severity = findSeverity(notification);
  const kinds = EVENT_KINDS.filter((kind) => on?.includes(kind) ?? true);
  if (severity === undefined) return kinds;
  const isOfSeverity = (kind: Outage) =>
    isCritical({ kind, severity: ofSite === "warning" ? ofSite : undefined }) ===
      (severity === "critical");
  const possible = EVENT_KINDS.filter(isOutage).filter(isOfSeverity);
  const left = kinds.filter((kind) => !isOutage(kind) || possible.includes(kind));
  const hasNone = possible.length === 0 || (kinds.some(isOutage) && !left.some(isOutage));
  return hasNone ? [] : left;
}
