import type { Notification } from "../config/channels/keys.ts";
import type { Subscriber } from "./channel_list.ts";
import type { EventKind } from "./message.ts";

export interface Route {
  /** Type and destination, without secrets. */
  channel: string;
  events: readonly EventKind[];
  /** Names of the sites, or `all`. */
  sites: "all" | readonly string[];
  note?: string;
}

interface NamedSite {
  slug: string;
  name: string;
}

/** Explains the events of a channel without `on`. */
export const WANTS_ALL = "has no on:, so it is notified of every event";

/** Lists the events of each channel, grouped by sites with the same events. */
export function listRoutes(channels: readonly Subscriber[], sites: readonly NamedSite[]): Route[] {
  return channels.flatMap(({ notification, wants, wantsAll }): Route[] => {
    const channel = channelName(notification);
    const notified = sites.filter(({ slug }) => wants(slug).length > 0);
    if (notified.length === 0 && sites.length > 0) return [{ channel, events: [], sites: "all" }];
    const groups = Map.groupBy(notified, ({ slug }) => wants(slug).join());
    return [...groups.values()].map((own) => ({
      channel,
      events: wants(own[0]!.slug),
      sites: own.length === sites.length ? "all" : own.map(({ name }) => name),
      ...own.some(({ slug }) => wantsAll(slug)) ? { note: WANTS_ALL } : {},
    }));
  });
}

/** Explains the channels that are notified of every event because they have no `on`. */
export function listChannelsWithoutOn(
  channels: readonly Subscriber[],
  sites: readonly NamedSite[],
): string[] {
  const notes = listRoutes(channels, sites).flatMap(({ channel, note }) =>
    note === undefined ? [] : [`${channel} ${note}`]
  );
  return [...new Set(notes)];
}

const SECRET = /^\$[A-Za-z_]\w*$/;

/** Type and destination of a channel, without anything that may be a secret. */
export function channelName(notification: Notification): string {
  const { type, to, channel, site, room, user = "", "chat-id": chat } = notification;
  const address = notification["webhook-url"] ?? notification.url ?? "";
  const key = notification["integration-key"] ?? notification["api-key"] ?? "";
  const host = /^[a-z][a-z0-9+.-]*:\/\/(?:[^/?#]*@)?([^/?#]+)/i.exec(address)?.[1];
  const places = [
    SECRET.test(address) ? address : host,
    channel,
    to?.join(", "),
    chat && `chat ${chat}`,
    site,
    room,
    notification["to-number"],
    SECRET.test(user) ? user : undefined,
    SECRET.test(key) ? key : undefined,
  ].filter((place) => place !== undefined);
  return places.length === 0 ? type : `${type} (${places.join(", ")})`;
}
