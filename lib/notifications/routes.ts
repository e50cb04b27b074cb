import type { Notification } from "../config/channels/keys.ts";
import type { Subscriber } from "./channel_list.ts";
import type { EventKind } from "./message.ts";

/** A channel with the events that it is notified of. */
export interface Route {
  /** Type and destination, without secrets. */
  channel: string;
  events: readonly EventKind[];
  /** Names of the sites, or `all`. */
  sites: "all" | readonly string[];
  note?: string;
}

export interface NamedSite {
  slug: string;
  name: string;
}

/** Explains the events of a channel without `on`. */
export const WANTS_ALL = "has no on:, so it is notified of every event";

/**
 * Lists the events of each channel, grouped by sites with the same events.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { toSubscribers } from "./channel_list.ts";
 * const slack = { type: "slack", "webhook-url": "https://hooks.slack.com/services/T0/B0/secret" } as const;
 * const sites = [{ name: "Shop", slug: "shop", notifications: [] }];
 * assertEquals(routes(toSubscribers({ notifications: [slack], sites }, () => "slack"), sites), [
 *   { channel: "slack (hooks.slack.com)", events: ["down", "degraded", "up"], sites: "all", note: WANTS_ALL },
 * ]);
 * ```
 */
export function routes(
  channels: readonly Subscriber[],
  sites: readonly NamedSite[],
): Route[] {
  return channels.flatMap((channel) => routesOf(channel, sites));
}

/** Explains the channels that are notified of every event because they have no `on`. */
export function channelsWithoutOn(
  channels: readonly Subscriber[],
  sites: readonly NamedSite[],
): string[] {
  const told = routes(channels, sites).flatMap(({ channel, note }) =>
    note === undefined ? [] : [`${channel} ${note}`]
  );
  return [...new Set(told)];
}

function routesOf(channel: Subscriber, sites: readonly NamedSite[]): Route[] {
  const heard = sites.filter(({ slug }) => channel.wants(slug).length > 0);
  const alike = Map.groupBy(heard, ({ slug }) => channel.wants(slug).join());
  const name = channelName(channel.notification);
  if (heard.length === 0 && sites.length > 0) return [{ channel: name, events: [], sites: "all" }];
  return [...alike.values()].map((own) => {
    const events = channel.wants(own[0]!.slug);
    const wantsAll = own.some(({ slug }) => channel.wantsAll(slug));
    return {
      channel: name,
      events,
      sites: own.length === sites.length ? "all" as const : own.map(({ name }) => name),
      ...wantsAll ? { note: WANTS_ALL } : {},
    };
  });
}

/** Type and destination of a channel, without secrets. */
export function channelName(notification: Notification): string {
  const place = placeOf(notification);
  return notification.type + (place === undefined ? "" : ` (${place})`);
}

const SECRET = /^\$[A-Za-z_]\w*$/;

/** The destination of a channel in words, without anything that may be a secret. */
function placeOf(notification: Notification): string | undefined {
  const { to, channel, site } = notification;
  const address = notification["webhook-url"] ?? notification.url;
  const chat = notification["chat-id"];
  const key = notification["integration-key"] ?? notification["api-key"];
  const places = [
    address === undefined ? undefined : hostOf(address),
    channel,
    to?.join(", "),
    chat === undefined ? undefined : `chat ${chat}`,
    site,
    key !== undefined && SECRET.test(key) ? key : undefined,
  ].filter((place) => place !== undefined);
  return places.length === 0 ? undefined : places.join(", ");
}

/** The host of an address, or the secret that it is. */
function hostOf(address: string): string | undefined {
  if (SECRET.test(address)) return address;
  return /^[a-z][a-z0-9+.-]*:\/\/(?:[^/?#]*@)?([^/?#]+)/i.exec(address)?.[1];
}
