import { CHANNELS } from "../channels/mod.ts";
import type { Config } from "../config/config.ts";
import type { Notification } from "../config/read_notifications.ts";
import type { Secrets } from "../config/secrets/secrets.ts";
import type { DestinationOf, Listings } from "./listener.ts";
import { type NamedListings, routes } from "./routes.ts";
import { upptimeChannels } from "./upptime_channels.ts";

/** Where a notification leads, as its channel tells it. */
export const destinationOf: DestinationOf = (notification: Notification) =>
  CHANNELS[notification.type].destination(notification);

/** What a configuration lists, with what secrets alone set up. */
export function listingsOf<T extends Pick<Config, "notifications" | "sites">>(
  config: T,
  secrets: Secrets,
): T & Listings {
  const notifications = [
    ...config.notifications,
    ...upptimeChannels((name) => secrets.value(name) ?? ""),
  ];
  return { ...config, notifications };
}

/** What is said of each channel that hears everything because its configuration does not say what. */
export function channelsWithoutOn(listings: NamedListings): string[] {
  const told = routes(listings, destinationOf).flatMap(({ channel, note }) =>
    note === undefined ? [] : [`${channel} ${note}`]
  );
  return [...new Set(told)];
}
